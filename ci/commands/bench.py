"""Speed and memory of tfmini, next to TensorFlow 1.15.5, PyTorch and JAX."""

from ci.commands.subcommands import Subcommand, dispatch

SUBCOMMANDS = {
    "cpu": Subcommand("programs next to TensorFlow on the CPU", "ci.commands.benchmarks"),
    "gpu": Subcommand("programs next to PyTorch and JAX on a card", "ci.commands.benchmarks.gpu"),
    "peers": Subcommand(
        "programs next to NumPy, PyTorch and JAX on the CPU", "ci.commands.benchmarks.peers"
    ),
    "sweep": Subcommand(
        "some hundred small cases next to TensorFlow", "ci.commands.benchmarks.sweep"
    ),
    "memory": Subcommand("memory that steps add to a process", "ci.commands.benchmarks.memories"),
    "cores": Subcommand("programs on 1, 2, 4, 8 and 16 cores", "ci.commands.benchmarks.cores"),
    "clusters": Subcommand(
        "steps over two tasks, workers on a parameter server", "ci.commands.benchmarks.clusters"
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
