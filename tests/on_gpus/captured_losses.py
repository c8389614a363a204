"""Compares losses of training steps with and without capture: `python -m tests.on_gpus.captured_losses`."""

import os
import subprocess
import sys

SECONDS = 60


def started(graphs):
    """A process that trains, and prints its losses."""
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "tests.on_gpus.training"],
        env={**os.environ, "TFMINI_CUDA_GRAPHS": graphs},
        stdout=subprocess.PIPE,
        text=True,
    )


def main():
    processes = [started(graphs) for graphs in ("0", "1")]
    losses = [process.communicate(timeout=SECONDS)[0].split() for process in processes]
    for apart, captured in zip(*losses):
        print(apart, captured, "" if apart == captured else "differ")
    if any(process.returncode for process in processes) or not losses[0]:
        sys.exit("no losses")
    if losses[0] != losses[1]:
        sys.exit("other losses in captured steps")
    print(
        f"{len(losses[0])} losses, from {float.fromhex(losses[0][0]):.4f} to {float.fromhex(losses[0][-1]):.4f}, "
        "the same in captured steps"
    )


if __name__ == "__main__":
    main()
