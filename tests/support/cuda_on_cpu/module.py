"""Compiles CUDA C++ source for the host and launches its kernels."""

import _ctypes
import atexit
import contextlib
import ctypes
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.cuda_on_cpu import signatures

_HERE = Path(__file__).parent
_BUILT = _HERE.parents[2] / "build" / "cuda_on_cpu"
_HOST = ("g++", "-std=c++17", "-fPIC", "-U_FORTIFY_SOURCE", "-w")
_WORK = (
    *("-O1", "-ffp-contract=off", "-fno-strict-aliasing", "-fsanitize=thread"),
    *("-fsanitize=alignment,bounds", "--param=tsan-instrument-func-entry-exit=0"),
)
# Macros that `signatures` reads before the compiler does, and NVRTC's own.
_KEPT = ("-D__global__=__global__", "-D__shared__=__shared__", "-D__CUDACC_RTC__")
# Removed from the preprocessed source: directives and comments.
_PREPROCESSED = re.compile(r"#(?!line )|//|/\*")
_LOCK = threading.RLock()
_MAX_THREADS = 1024
_MAX_GRID = (2**31 - 1, 65535, 65535)
_MAX_SHARED = 227 * 1024


class CompileError(RuntimeError):
    """The host compiler rejects a source; the message is its log."""


class LaunchError(RuntimeError):
    """Invalid launch: arguments, memory accesses, or barriers."""


HAS_COMPILER = shutil.which(_HOST[0]) is not None
_CHOICE = re.compile(r"\A#define ONLY\n#define ONLY_\w+ 1\n")


def compile_module(code: str, options: Sequence[str] = ()) -> "Module":
    """Compiles a source's kernels for launching; compiled sources are cached.

    Args:
      code: CUDA C++ with kernels declared `extern "C" __global__ void`.
        Definitions before it that select one of its kernels are ignored: all are compiled at once.
      options: `-Dname=value`, `-Ipath` and `-std=c++17`; options for device code are ignored.

    Raises:
      CompileError: the compiler rejects the source.
      ValueError: a kernel is not extern "C", or an option is unknown.
      pytest's Skipped: there is no compiler.
    """
    if not HAS_COMPILER:
        pytest.skip("needs g++")
    return _compile(_CHOICE.sub("", code), tuple(options))


@cache
def _compile(code: str, options: tuple[str, ...]) -> "Module":
    with _LOCK:
        return Module(code, options)


def _host_options(options: Sequence[str]) -> list[str]:
    ignored = ("-std=", "--std=", "--fmad", "--use_fast_math", "-arch", "--gpu-architecture")
    retained = []
    for option in options:
        if option.startswith(("-D", "-I")):
            retained.append(option)
        elif not option.startswith((*ignored, "-lineinfo", "--generate-line-info")):
            raise ValueError(f"the CPU's stand-in for nvcc does not know the option {option!r}")
    return retained


class _Process:
    """Per-process state: libraries stay loaded even if tests clear module caches."""

    folder: Path | None = None
    scheduler: tuple[Path, ctypes.CDLL] | None = None


def _folder() -> Path:
    """Cache folder for compiled sources, kept for two weeks: below build/, or a temporary folder if that is not
    writable.
    """
    with _LOCK:
        if _Process.folder is None:
            try:
                _Process.folder = _emptied_of_old_files(_BUILT)
            except OSError:
                _Process.folder = Path(tempfile.mkdtemp(prefix="cuda_on_cpu"))
                atexit.register(shutil.rmtree, _Process.folder)
        return _Process.folder


def _emptied_of_old_files(directory: Path) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    for file in directory.iterdir():
        with contextlib.suppress(FileNotFoundError):  # other processes rename and remove files
            if file.stat().st_mtime < time.time() - 14 * 24 * 3600:
                file.unlink()
    return directory


def _run(command: Sequence[str], text: str = "") -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        log = done.stderr.strip().splitlines()
        actual = [line for line in log if not line.startswith("thunks:")]
        raise CompileError("\n".join(actual or log))
    return done.stdout


def _build(
    name: str, ending: str, key: str, build: Callable[[Path], None], again: bool = False
) -> Path:
    """The path of a cached file, created by `build(path)` if missing."""
    digest = hashlib.sha256(key.encode()).hexdigest()[:24]
    library = _folder() / f"{name}-{digest}{ending}"
    if again or not library.exists():
        with _one_process_builds(library):
            if again or not library.exists():
                scratch = library.with_suffix(f".{os.getpid()}")
                build(scratch)
                scratch.replace(library)
    return library


@contextlib.contextmanager
def _one_process_builds(library: Path) -> Iterator[None]:
    """Lock between parallel test processes, so that only one builds a library and the others wait."""
    with open(library.with_suffix(".lock"), "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _scheduler() -> tuple[Path, ctypes.CDLL]:
    """The scheduler library, shared by all kernels of the process: a second instance would resume the first one's
    threads.
    """
    with _LOCK:
        if _Process.scheduler is None:
            _Process.scheduler = _loaded_scheduler()
        return _Process.scheduler


def _loaded_scheduler() -> tuple[Path, ctypes.CDLL]:
    parts = [_HERE / "scheduler.cpp", _HERE / "checks.cpp"]
    key = "".join(p.read_text() for p in (*parts, _HERE / "scheduler.h"))
    command = (*_HOST, "-O2", "-shared", *map(str, parts), "-ldl")
    path = _build("scheduler", ".so", key, lambda target: _run([*command, "-o", str(target)]))
    library = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    library.simulated_message.restype = ctypes.c_char_p
    library.simulated_allow.argtypes = (
        *(ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p),
        *(ctypes.c_uint, ctypes.c_int, ctypes.c_int),
    )
    library.simulated_allow_module.argtypes = (ctypes.c_void_p,)
    return path, library


@cache
def _header() -> Path:
    """The header included by every source, precompiled, because parsing it takes longer than a kernel."""
    source = _HERE / "device.h"

    def precompile(scratch: Path) -> None:
        shutil.copyfile(source, scratch.with_suffix(""))
        _run([*_HOST, *_WORK, *_KEPT, "-x", "c++-header", str(source), "-o", str(scratch)])

    key = "\0".join([*_WORK, *_KEPT, source.read_text()])
    return _build("device", ".h.gch", key, precompile).with_suffix("")


def _build_module(code: str, options: Sequence[str], scheduler: Path) -> Path:
    """The shared library of a source. The cache key covers all build inputs, so no stale library is used."""
    host = _host_options(options)
    sources = (_HERE / "device.h", _HERE / "signatures.py", Path(__file__))
    key = "\0".join([str(scheduler), code, *host, *(p.read_text() for p in sources)])
    included = "#include" in code  # included files may change

    def link(scratch: Path) -> None:
        compiler = (*_HOST, *_WORK, *_KEPT, *host)
        header = ("-include", str(_header()))
        text = f'#line 1 "kernels"\n{code}\n'
        if _PREPROCESSED.search(code):
            command = (*compiler, "-fpch-preprocess", *header, "-E", "-x", "c++", "-")
            text, header = _run(command, text), ("-fpreprocessed",)
        source = signatures.host_source(text, signatures.kernels(text))
        # Compiled with sanitizer calls, linked without the sanitizer: checks.cpp implements them.
        libraries = ("-nostdlib", str(scheduler), "-lm", "-lgcc", "-lc", "-Wl,--no-undefined")
        standard_input = ("-x", "c++", "-", "-x", "none")
        _run(
            [*compiler, *header, *standard_input, "-shared", *libraries, "-o", str(scratch)], source
        )

    return _build("module", ".so", key, link, again=included)


class Module:
    """The kernels of one source. `kernels` maps names to parameters; `max_threads` maps them to the maximum block
    size: `__launch_bounds__`, or the largest that fits the register file for any register allocation.
    """

    def __init__(self, code: str, options: Sequence[str] = ()):
        scheduler, self._scheduler = _scheduler()
        self._library = ctypes.CDLL(str(_build_module(code, options, scheduler)))
        weakref.finalize(self, _ctypes.dlclose, self._library._handle).atexit = False
        listed = ctypes.c_char_p.in_dll(self._library, "cuda_kernels").value or b""
        self.kernels, self.max_threads = {}, {}
        for name, most, names in (line.split(":") for line in listed.decode().split()):
            self.kernels[name] = self._parameters(name, names.split(",") if names else [])
            self.max_threads[name] = int(most)

    def _parameters(self, name: str, names: list[str]) -> list[signatures.Parameter]:
        codes = (ctypes.c_int * max(1, len(names))).in_dll(self._library, f"{name}__types")
        return [signatures.parameter(n, code) for n, code in zip(names, codes)]

    def launch(
        self,
        name: str,
        grid: Sequence[int],
        block: Sequence[int],
        args: Sequence[Any],
        shared_mem: int = 0,
        order: Any = None,
        memory: Iterable[np.ndarray] = (),
    ) -> None:
        """Runs a kernel to completion.

        Args:
          name: the kernel.
          grid: blocks along up to three axes.
          block: threads per block along up to three axes.
          args: for a pointer, a contiguous array of the parameter's dtype, an address as int or uint64, or
            None; otherwise a NumPy scalar of exactly the parameter's type, a Python int or bool for any
            integer, a float for double, or a NumPy array of one structure by value.
          shared_mem: bytes of dynamic shared memory.
          order: "forward", "reverse", "random" or the seed of a random order; defaults to the order
            set by `running_in`.
          memory: arrays that the kernel reaches through addresses in tables.

        Raises:
          KeyError: there is no such kernel.
          LaunchError: arguments of wrong type or size; while running: an access out of bounds or
            misaligned, a race, a divergent barrier.
        """
        parameters = self.kernels[name]
        grid, block = _three(name, "grid", grid), _three(name, "block", block)
        if any(n > most for n, most in zip(grid, _MAX_GRID)):
            raise LaunchError(f"{name}: a grid of {grid} is larger than {_MAX_GRID}")
        if block[0] * block[1] * block[2] > _MAX_THREADS or block[2] > 64:
            raise LaunchError(f"{name}: a block of {block} has over {_MAX_THREADS} threads")
        if block[0] * block[1] * block[2] > self.max_threads[name]:
            most = self.max_threads[name]
            raise LaunchError(
                f"{name}: a block of {block} has over {most} threads, what its registers suffice for in any case: "
                "it wants __launch_bounds__"
            )
        if shared_mem > _MAX_SHARED:
            raise LaunchError(f"{name}: {shared_mem} bytes of shared memory, over {_MAX_SHARED}")
        if len(args) != len(parameters):
            raise LaunchError(f"{name}: takes {len(parameters)} arguments, got {len(args)}")
        values = [_value(name, p, a) for p, a in zip(parameters, args)]
        with _LOCK:
            self._allow(name, parameters, args, shared_mem, memory)
            try:
                self._start(name, grid, block, values, _order_number(order))
            finally:
                self._scheduler.simulated_forget()

    def _allow(self, name, parameters, args, shared_mem, memory) -> None:
        allow = self._scheduler.simulated_allow
        self._scheduler.simulated_forget()
        self._shared = np.empty(shared_mem + 128, np.uint8)
        self._dynamic = -(-self._shared.ctypes.data // 128) * 128
        if shared_mem:
            allow(self._dynamic, shared_mem, b"dynamic shared memory", 1, 1, 1)
        thunk = getattr(self._library, f"{name}__thunk")
        # An array may be passed twice, for reading and for writing: then it may be written. Elements of memory behind
        # tables are assumed to be as small as those of any argument.
        arrays: dict[tuple[int, int], tuple[bytes, int, bool]] = {}
        named = [(p.name, a, not p.constant) for p, a in zip(parameters, args) if p.pointer]
        smallest = min((a.itemsize for _, a, _ in named if isinstance(a, np.ndarray)), default=1)
        for label, array, writable in [*named, *(("memory", m, True) for m in memory)]:
            if isinstance(array, np.ndarray) and array.size:
                key = (array.ctypes.data, array.nbytes)
                label, grain, before = arrays.get(key, (f"`{label}`".encode(), smallest, False))
                arrays[key] = (label, min(grain, array.itemsize), writable or before)
        self._names = list(arrays.values())
        for (address, size), (label, grain, writable) in arrays.items():
            allow(address, size, label, grain, writable, 0)
        self._scheduler.simulated_allow_module(ctypes.cast(thunk, ctypes.c_void_p))

    def _start(self, name, grid, block, values, order) -> None:
        three = ctypes.c_uint * 3
        pointers = (ctypes.c_void_p * max(1, len(values)))(*(v.ctypes.data for v in values))
        failed = self._scheduler.simulated_launch(
            getattr(self._library, f"{name}__thunk"),
            pointers,
            three(*grid),
            three(*block),
            ctypes.c_void_p(self._dynamic),
            order,
            # Like -ftz=true, which affects only floats: doubles keep their subnormals.
            not any(p.dtype and np.dtype(p.dtype) == np.float64 for p in self.kernels[name]),
        )
        if failed:
            raise LaunchError(f"{name}: {self._scheduler.simulated_message().decode()}")


def _three(name: str, label: str, sizes: Sequence[int]) -> tuple[int, int, int]:
    full = (*(int(s) for s in sizes), 1, 1)[:3]
    if len(sizes) > 3 or min(full) < 1:
        raise LaunchError(f"{name}: {label} {tuple(sizes)}; wanted one to three positive sizes")
    return full


def _value(name: str, parameter: signatures.Parameter, value: Any) -> np.ndarray:
    """The bytes of one argument, as an array."""
    problem = f"{name}: `{parameter.name}` is {_text(parameter)}, given {_what(value)}"
    if parameter.pointer:
        if value is None or isinstance(value, (int, np.uint64)) and not isinstance(value, bool):
            return np.array(value or 0, np.uint64)
        if not isinstance(value, np.ndarray):
            raise LaunchError(problem)
        if parameter.dtype and value.dtype != _pointer_dtypes(parameter.dtype, value.dtype):
            raise LaunchError(problem)
        if value.size > 1 and not value.flags.c_contiguous:
            raise LaunchError(f"{problem}, which is not in one piece")
        return np.array(value.ctypes.data, np.uint64)
    dtype = np.dtype(parameter.dtype)
    if isinstance(value, np.ndarray) and value.size == 1:  # its bytes, as passed by CuPy
        if value.itemsize != dtype.itemsize or dtype.kind != "V" and value.dtype != dtype:
            raise LaunchError(problem)
        return np.ascontiguousarray(value)
    if isinstance(value, np.generic):
        if value.dtype != dtype:
            raise LaunchError(problem)
        return np.array(value)
    fits = isinstance(value, (bool, int)) and dtype.kind in "biu"
    if not fits and not (isinstance(value, float) and dtype == np.float64):
        raise LaunchError(problem)
    if dtype.kind in "iu" and not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
        raise LaunchError(f"{problem}: {value} does not fit")
    return np.array(value, dtype)


def _pointer_dtypes(declared: str, actual: np.dtype) -> np.dtype:
    """The dtypes that a pointer accepts; bytes may be bool, int8 or uint8."""
    if np.dtype(declared).itemsize == 1 and actual.itemsize == 1:
        return actual
    return np.dtype(declared)


def _text(parameter: signatures.Parameter) -> str:
    type_name = np.dtype(parameter.dtype).name if parameter.dtype else "void"
    return f"a pointer to {type_name}" if parameter.pointer else type_name


def _what(value: Any) -> str:
    if isinstance(value, (np.ndarray, np.generic)):
        return f"{'an array of ' if isinstance(value, np.ndarray) else ''}{value.dtype}"
    return type(value).__name__


_default_order: list[Any] = ["forward"]


class running_in:
    """Sets the default execution order of launches in a block: `with running_in("reverse"):`."""

    def __init__(self, order: Any):
        self._order = order

    def __enter__(self) -> None:
        _default_order.append(self._order)

    def __exit__(self, *_: Any) -> None:
        _default_order.pop()


def _order_number(order: Any) -> int:
    order = _default_order[-1] if order is None else order
    named = {"forward": 0, "reverse": 1, "random": 2}
    return named[order] if isinstance(order, str) else 2 + int(order)
