"""Emulates a Python with a GPU on a machine without one: an emulated GPU, and smaller workloads.

    python -m tests.on_gpus.rehearsal [OPTIONS OF PYTHON] -m MODULE ...
    python -m tests.on_gpus.rehearsal [OPTIONS OF PYTHON] -c PROGRAM

With REHEARSAL_EXECUTABLE, a program that runs this, processes that these programs start run on the emulator too.
"""

import contextlib
import importlib
import os
import runpy
import sys

from ci.commands.benchmarks import gpu_sizes, timing
from tests.on_gpus import training
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.programs.cli import device_checks

# Modules that `python -m` runs for packages; modules whose `main` reads the sizes set here.
PACKAGES = {"tfmini": "tfmini._src.programs.cli"}
HAVE_MAIN = ("tfmini", "ci.commands.benchmarks", "tests.on_gpus")
OPTIONS = {"-u": 1, "-W": 2}  # Python options, with their numbers of arguments


def make_small():
    device_checks._COPIED_BYTES = 1 << 16
    device_checks._SIZES = {"float32": 32, "float16": 32}
    training.STEPS = 12
    timing.WARM_UP, timing.ROUNDS = 4, 1
    gpu_sizes.make_small()


def run(kind, what, rest):
    if kind == "-c":
        sys.argv = ["-c", *rest]
        exec(what, {"__name__": "__main__"})
        return None
    sys.argv = [what, *rest]
    if what.startswith(HAVE_MAIN):
        return importlib.import_module(PACKAGES.get(what, what)).main()
    return runpy.run_module(what, run_name="__main__", alter_sys=True)


def main():
    sys.executable = os.environ.get("REHEARSAL_EXECUTABLE", sys.executable)
    arguments = sys.argv[1:]
    while arguments[0] in OPTIONS:
        del arguments[: OPTIONS[arguments[0]]]
    make_small()
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES") == ""
    with contextlib.nullcontext() if hidden else fake_gpus(devices=1):
        kind, what, *rest = arguments
        ended = run(kind, what, rest)
    if isinstance(ended, int):
        sys.exit(ended)


if __name__ == "__main__":
    main()
