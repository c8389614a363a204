"""The package list, and the CPU's kernels: C++ of kernels/cpu, built as plain shared libraries where a compiler is.

The packages are everything below tfmini/, and kernels/ and docs/ as tfmini._src.kernels and tfmini._src.docs; all
else is in pyproject.toml. The libraries hold C functions that are called by ctypes, so one wheel serves every Python.
A machine without a compiler gets a warning and numpy's paths.
"""

import os
import shlex
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError
from setuptools.modified import newer_group

FOLDER = Path("kernels/cpu")
# The largest first, so that no core waits for one at the end.
SOURCES = [
    str(path) for path in sorted(FOLDER.glob("*.cpp"), key=lambda path: -path.stat().st_size)
]
HEADERS = sorted(str(path) for path in FOLDER.glob("*.h"))
# Products and sums stay apart, so that formulas give numpy's bits; nothing here asks for errno or traps. Nothing is
# thrown through a function: the tables for that are a tenth of a library.
FLAGS = (
    "-std=c++17 -O3 -fPIC -shared -pthread -fvisibility=hidden -fno-exceptions -fno-rtti "
    "-fno-math-errno -fno-trapping-math -ffp-contract=off "
    "-fno-unwind-tables -fno-asynchronous-unwind-tables"
).split()
if sys.platform.startswith("linux"):
    FLAGS.append(
        "-s"
    )  # names of functions that nobody calls from outside take a tenth of a library
# A build for each level of vector instructions, and one for any processor: on arm64 that has NEON. None for Windows,
# whose threads are others.
BUILDS = {"generic": []} if os.name == "posix" else {}
if BUILDS and sysconfig.get_platform().endswith("x86_64"):
    BUILDS["generic"] = ["-O2"]  # half the size; processors made before 2013 alone load it here
    BUILDS["v3"] = ["-march=x86-64-v3"]
    BUILDS["v4"] = ["-march=x86-64-v4", "-mprefer-vector-width=256"]


class BuildLibraries(build_ext):
    """Compiles each file of each build by a call of the compiler, CXX or c++, on every core, and links them."""

    def initialize_options(self):
        super().initialize_options()
        self.parallel = max(1, len(BUILDS))  # builds wait for their files
        self._files = len(BUILDS) * len(SOURCES)
        self._compiled = 0

    def run(self):
        self._in_place = self.inplace  # which a superclass puts aside while it builds
        super().run()

    def build_extensions(self):
        with ThreadPoolExecutor(os.cpu_count()) as self._pool:
            super().build_extensions()

    def get_ext_filename(self, fullname):
        *folders, name = fullname.split(".")
        return os.path.join(*folders, f"lib{name}.so")

    def build_extension(self, ext):
        made_of = [*ext.sources, *ext.depends, "setup.py"]
        if self._in_place and not newer_group(made_of, self.get_ext_filename(ext.name)):
            return  # an installation before this one has made it
        path = self.get_ext_fullpath(ext.name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        folder = Path(self.build_temp, ext.name)
        folder.mkdir(parents=True, exist_ok=True)
        objects = [str(folder / f"{Path(source).stem}.o") for source in ext.sources]
        flags = ext.extra_compile_args
        made = [
            self._pool.submit(self._compile, [*flags, "-c", source, "-o", made])
            for source, made in zip(ext.sources, objects)
        ]
        for each in made:
            each.result()
        self._call([*flags, "-o", path, *objects])

    def _compile(self, options):
        self._call(options)
        self._compiled += 1
        print(f"kernels for the CPU: {self._compiled} of {self._files} files compiled", flush=True)

    def _call(self, options):
        compiler = shlex.split(os.environ.get("CXX", "c++"))
        try:
            subprocess.run([*compiler, *FLAGS, *options], check=True)
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
            f"tfmini._src.devices.host.native.tfmini_{name}",
            SOURCES,
            depends=HEADERS,
            extra_compile_args=flags,
            optional=True,
        )
        for name, flags in BUILDS.items()
    ],
    cmdclass={"build_ext": BuildLibraries, "bdist_wheel": AnyPython},
)
