"""Runs CUDA kernels on the CPU, for machines without a GPU.

CUDA C++ source is compiled by g++ (`module.py`, `signatures.py`, `device.h`) and executed thread by thread
(`scheduler.cpp`), in forward, reverse or random order. Every memory access is checked (`checks.cpp`) for bounds,
alignment, races and reads of uninitialized shared memory, and every barrier for divergence.

Neither kernel speed nor the results of fast math are modeled.
"""

import platform
import shutil

from tests.support.cuda_on_cpu.module import (
    CompileError,
    LaunchError,
    Module,
    compile_module,
    running_in,
)

__all__ = ["CompileError", "LaunchError", "Module", "available", "compile_module", "running_in"]


def available() -> bool:
    """Whether this machine can compile and run kernels, which requires g++ on Linux."""
    return platform.system() == "Linux" and shutil.which("g++") is not None
