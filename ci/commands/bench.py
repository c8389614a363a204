"""Speed and memory of tfmini, next to TensorFlow 1.15.5, PyTorch and JAX."""

from ci.commands.subcommands import Subcommand, dispatch

SUBCOMMANDS = {
    "cpu": Subcommand("programs compared with TensorFlow on the CPU", "ci.commands.benchmarks"),
    "gpu": Subcommand(
        "programs compared with PyTorch and JAX on a GPU", "ci.commands.benchmarks.gpu"
    ),
    "peers": Subcommand(
        "programs compared with NumPy, PyTorch and JAX on the CPU", "ci.commands.benchmarks.peers"
    ),
    "sweep": Subcommand(
        "several hundred small cases compared with TensorFlow", "ci.commands.benchmarks.sweep"
    ),
    "calls": Subcommand(
        "public functions, called as in TensorFlow's own tests, compared with TensorFlow",
        "ci.commands.benchmarks.calls",
    ),
    "memory": Subcommand(
        "memory growth of a process over steps", "ci.commands.benchmarks.memories"
    ),
    "cores": Subcommand("programs on 1, 2, 4, 8 and 16 cores", "ci.commands.benchmarks.cores"),
    "clusters": Subcommand(
        "steps across two tasks, workers with a parameter server", "ci.commands.benchmarks.clusters"
    ),
    "serving": Subcommand(
        "requests per second of `tfmini serve`, and its memory", "ci.commands.benchmarks.serving"
    ),
    "elementary_errors": Subcommand(
        "errors of elementary functions in units in the last place",
        "ci.commands.benchmarks.elementary_errors",
    ),
}

if __name__ == "__main__":
    dispatch("bench", __doc__ or "", SUBCOMMANDS, "cpu")
