"""Long-running tests, not part of any check: public programs, TensorFlow's own tests, faults."""

from ci.commands.subcommands import Subcommand, dispatch

SUBCOMMANDS = {
    "programs": Subcommand(
        "published programs and their libraries' tests under `tfmini run`",
        "ci.commands.real_programs",
    ),
    "tensorflow_tests": Subcommand("TensorFlow 1.15's own tests on tfmini", "ci.commands.upstream"),
    "damage": Subcommand(
        "10,000 corrupted files of each kind, and corrupted messages", "soak_runs/damage.sh"
    ),
    "faults": Subcommand(
        "network faults, and killed or stopped tasks of a training cluster",
        "ci.commands.soak_runs.faults",
    ),
    "serving": Subcommand(
        "hostile clients of `tfmini serve` alongside well-behaved ones",
        "tests.programs.serving.soak",
    ),
    "files": Subcommand(
        "file ops that `TFMINI_SERVER_OPS=-files` fails to reject", "tests.cluster.files_opened"
    ),
    "kills": Subcommand(
        "a single-process trainer killed at random moments: checkpoints and event files",
        "ci.commands.soak_runs.kills",
    ),
}

if __name__ == "__main__":
    dispatch("soak", __doc__ or "", SUBCOMMANDS)
