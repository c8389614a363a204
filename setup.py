"""Packages and native CPU kernels; all other metadata is in pyproject.toml.

The packages are everything below tfmini/, plus kernels/ and docs/ as tfmini._src.kernels and tfmini._src.docs. The C++
sources in kernels/cpu are compiled to plain shared libraries, whose C functions ctypes calls, so one wheel works with
every Python version. Without a compiler, the build prints a warning, and the CPU uses NumPy instead.
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
# Largest first, so that no core idles at the end of the build.
SOURCES = [
    str(path) for path in sorted(FOLDER.glob("*.cpp"), key=lambda path: -path.stat().st_size)
]
HEADERS = sorted(str(path) for path in FOLDER.glob("*.h"))
# Without contraction into FMA instructions, formulas match NumPy bit for bit. The kernels use neither errno nor
# floating-point traps nor exceptions; unwind tables would take a tenth of a library.
FLAGS = (
    "-std=c++17 -O3 -fPIC -shared -pthread -fvisibility=hidden -fno-exceptions -fno-rtti "
    "-fno-math-errno -fno-trapping-math -ffp-contract=off "
    "-fno-unwind-tables -fno-asynchronous-unwind-tables"
).split()
# Remainders of vector loops as straight code make the table of operations a third larger and no faster, and a copy of
# the recursive search within itself makes patterns eight times larger.
FLAGS_OF = {
    "elementwise_program": ["--param", "max-completely-peeled-insns=64"],
    "string_patterns": ["-O2"],
}
if sys.platform.startswith("linux"):
    FLAGS.append("-s")  # internal symbols take a tenth of a library
# One build for each x86-64 level, and a generic one (on arm64, it uses NEON). Windows has no POSIX threads, which the
# kernels need.
BUILDS = {"generic": []} if os.name == "posix" else {}
if BUILDS and sysconfig.get_platform().endswith("x86_64"):
    BUILDS["generic"] = ["-Os"]  # a third of the size; only processors older than 2013 load it
    BUILDS["v3"] = ["-march=x86-64-v3"]
    BUILDS["v4"] = ["-march=x86-64-v4", "-mprefer-vector-width=256"]


class BuildLibraries(build_ext):
    """Compiles the sources of all builds on all cores, by the compiler in CXX or c++, and links each build."""

    def initialize_options(self):
        super().initialize_options()
        self.parallel = max(1, len(BUILDS))  # one thread a build, which waits for its object files
        self._files = len(BUILDS) * len(SOURCES)
        self._compiled = 0

    def run(self):
        self._in_place = self.inplace  # run() clears it during the build
        super().run()

    def build_extensions(self):
        with ThreadPoolExecutor(os.cpu_count()) as self._pool:
            super().build_extensions()

    def get_ext_filename(self, fullname):
        *folders, name = fullname.split(".")
        return os.path.join(*folders, f"lib{name}.so")

    def build_extension(self, ext):
        dependencies = [*ext.sources, *ext.depends, "setup.py"]
        if self._in_place and not newer_group(dependencies, self.get_ext_filename(ext.name)):
            return  # built by a previous installation
        path = self.get_ext_fullpath(ext.name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        folder = Path(self.build_temp, ext.name)
        folder.mkdir(parents=True, exist_ok=True)
        objects = [str(folder / f"{Path(source).stem}.o") for source in ext.sources]
        flags = ext.extra_compile_args
        futures = [
            self._pool.submit(
                self._compile,
                [*flags, *FLAGS_OF.get(Path(source).stem, []), "-c", source, "-o", target],
            )
            for source, target in zip(ext.sources, objects)
        ]
        for future in futures:
            future.result()
        self._call([*flags, "-o", path, *objects])

    def _compile(self, options):
        self._call(options)
        self._compiled += 1
        print(f"CPU kernels: {self._compiled} of {self._files} files compiled", flush=True)

    def _call(self, options):
        compiler = shlex.split(os.environ.get("CXX", "c++"))
        try:
            subprocess.run([*compiler, *FLAGS, *options], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            status = getattr(error, "returncode", None)
            reason = error if status is None else f"{compiler[0]} exited with status {status}"
            message = f"CPU kernels were not built; slower ones or NumPy are used instead: {reason}"
            raise CompileError(message) from error


class AnyPython(bdist_wheel):
    """The libraries do not depend on the Python version, so a platform has a single wheel."""

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
