"""CUDA kernels run on the CPU, for machines without a GPU.

A text of CUDA C++ is compiled by g++ (`module.py`, `signatures.py`, `device.h`) and run thread by
thread (`scheduler.cpp`): forward, in reverse or in random order. While it runs, every access to
memory is checked (`checks.cpp`): out of bounds, misaligned, racing, or reading shared memory that
nobody wrote; and every barrier: whether all threads reach the same one.

It does not show what speed a kernel has, nor what fast mathematics does to its results.
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
    """Whether this machine can compile and run kernels so: g++ on Linux."""
    return platform.system() == "Linux" and shutil.which("g++") is not None
