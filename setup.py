"""The package list, and the CPU's kernels: C++ of kernels/cpu, built as plain shared libraries where a compiler is.

The packages are everything below tfmini/, and kernels/ and docs/ as tfmini._src.kernels and tfmini._src.docs; all
else is in pyproject.toml. The libraries hold C functions that are called by ctypes, so one wheel serves every Python.
A machine without a compiler gets a warning and numpy's paths.
"""

import os
import platform
import shlex
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

FOLDER = Path("kernels/cpu")
SOURCES = sorted(str(path) for path in FOLDER.glob("*.cpp"))
HEADERS = sorted(str(path) for path in FOLDER.glob("*.h"))
# Products and sums stay apart, so that formulas give numpy's bits; nothing here asks for errno or traps.
FLAGS = (
    "-std=c++17 -O3 -fPIC -shared -pthread -fvisibility=hidden -fno-exceptions -fno-rtti "
    "-fno-math-errno -fno-trapping-math -ffp-contract=off"
).split()
if sys.platform.startswith("linux"):
    FLAGS.append(
        "-s"
    )  # names of functions that nobody calls from outside take a tenth of a library
# A build for each level of vector instructions, and one for any processor: on arm64 that has NEON. None for Windows,
# whose threads are others.
BUILDS = {"generic": []} if os.name == "posix" else {}
if BUILDS and platform.machine() == "x86_64":
    BUILDS["v3"] = ["-march=x86-64-v3"]
    BUILDS["v4"] = ["-march=x86-64-v4", "-mprefer-vector-width=256"]


class BuildLibraries(build_ext):
    """Compiles each build in one call of the compiler: CXX, or c++."""

    def initialize_options(self):
        super().initialize_options()
        self.parallel = True

    def get_ext_filename(self, fullname):
        *folders, name = fullname.split(".")
        return os.path.join(*folders, f"lib{name}.so")

    def build_extension(self, ext):
        path = self.get_ext_fullpath(ext.name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        compiler = shlex.split(os.environ.get("CXX", "c++"))
        command = [*compiler, *FLAGS, *ext.extra_compile_args, "-o", path, *ext.sources]
        try:
            subprocess.run(command, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            status = getattr(error, "returncode", None)
            why = error if status is None else f"{compiler[0]} ended with status {status}"
            text = f"kernels for the CPU are not built, slower ones or numpy compute instead: {why}"
            raise CompileError(text) from error


class AnyPython(bdist_wheel):
    """The libraries know no Python: the wheel is one for all of them on a platform."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(
    packages=[
        *find_packages(include=["tfmini", "tfmini.*"]),
        *("tfmini._src.docs", "tfmini._src.kernels"),
    ],
    ext_modules=[
        Extension(
            f"tfmini._src.devices.native.tfmini_{name}",
            SOURCES,
            depends=HEADERS,
            extra_compile_args=flags,
            optional=True,
        )
        for name, flags in BUILDS.items()
    ],
    cmdclass={"build_ext": BuildLibraries, "bdist_wheel": AnyPython},
)
