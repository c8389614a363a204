"""Long runs that no change waits for."""

from ci.commands.subcommands import Subcommand, dispatch

SUBCOMMANDS = {
    "programs": Subcommand(
        "published programs and their libraries' tests under `tfmini run`",
        "ci.commands.real_programs",
    ),
    "tensorflow_tests": Subcommand("TensorFlow 1.15's own tests on tfmini", "ci.commands.upstream"),
    "damage": Subcommand("10,000 damaged files of each kind, and messages", "trials/damage.sh"),
    "faults": Subcommand(
        "faults of networks, tasks killed and stopped", "ci.commands.trials.faults"
    ),
    "serving": Subcommand(
        "good clients of `tfmini serve` next to hostile ones", "tests.programs.serving.soak"
    ),
    "files": Subcommand(
        "ops that reach files which a server could not refuse", "tests.cluster.files_opened"
    ),
    "kills": Subcommand("trainers killed at random moments", "ci.commands.trials.kills"),
}

if __name__ == "__main__":
    dispatch("soak", __doc__ or "", SUBCOMMANDS)
