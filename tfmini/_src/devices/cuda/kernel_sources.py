"""The CUDA kernels in `kernels/`: their text, and a callable function for each kernel on the current device."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs
from tfmini._src.base.locks import make_lock
from tfmini._src.base.names.lazy_imports import pathlib
from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.kernel_names import kernel_names
from tfmini._src.devices.launch_hooks import notify_launch, watchers

if TYPE_CHECKING:
    from pathlib import Path
from tfmini._src.base.names.lazy_imports import futures

# No fused multiply-adds: results match the CPU's formulas, operation by operation.
OPTIONS = ("--std=c++17", "--fmad=false")

_INCLUDE = re.compile(r'^#include "(\w+\.h)"$', re.MULTILINE)
_MAX_THREADS = 8  # concurrent compilations

# By module, device, file or source text, and kernel.
_functions: dict[tuple[Any, int, str, str], Any] = {}
_loading: dict[tuple[Any, int, str, str], Any] = {}
_lock = make_lock()


def _source_directory() -> Path:
    """Returns the directory of the kernels: in the package, or `kernels/` next to `tfmini/` in a checkout."""
    spec = find_spec("tfmini._src.kernels")
    if spec is not None and spec.submodule_search_locations:
        return pathlib.Path(spec.submodule_search_locations[0])
    return pathlib.Path(__file__).resolve().parents[4] / "kernels"


def names() -> list[str]:
    """Returns the names of the kernel files without suffix: ["biases", "gather", ...]."""
    return sorted(
        entry.name[:-3] for entry in _source_directory().iterdir() if entry.name.endswith(".cu")
    )


@cache
def text(name: str) -> str:
    """Returns the compiler input for kernels/NAME.cu: the file with its headers inlined.

    CuPy caches compiled kernels by their text, which must therefore include the headers.
    """
    return complete((_source_directory() / f"{name}.cu").read_text(encoding="utf-8"), f"{name}.cu")


def complete(source: str, name: str) -> str:
    """Returns a source with each header inlined once; compiler messages still refer to file and line."""
    return f'#line 1 "{name}"\n' + _with_headers(source, name, set())


def _with_headers(source: str, name: str, seen: set[str]) -> str:
    def header(match: re.Match[str]) -> str:
        included_name = match.group(1)
        line_number = source.count("\n", 0, match.start()) + 2
        if included_name in seen:
            return ""
        seen.add(included_name)
        inner = (
            (_source_directory() / included_name)
            .read_text(encoding="utf-8")
            .replace("#pragma once\n", "\n")
        )
        inner = _with_headers(inner, included_name, seen)
        return f'#line 1 "{included_name}"\n{inner}\n#line {line_number} "{name}"'

    return _INCLUDE.sub(header, source)


def function(xp: ArrayModule, name: str, kernel: str) -> Any:
    """Returns a kernel of kernels/NAME.cu for the current device, to be called as `f(grid, block, args)`.

    The first call for a device compiles only this kernel, or finds it in CuPy's cache.
    """
    if watchers:
        notify_launch("", kernel)
    key = (xp, xp.cuda.runtime.getDevice(), name, kernel)
    return _functions.get(key) or _load(key)


def compile_kernel(xp: ArrayModule, source: str, kernel: str) -> Any:
    """Returns a kernel of a generated source, for the current device."""
    if watchers:
        notify_launch("", kernel)
    key = (xp, xp.cuda.runtime.getDevice(), source, kernel)
    return _functions.get(key) or _load(key)


def load_ahead(xp: ArrayModule, device: int, kernels: Iterable[tuple[str, str]]) -> None:
    """Compiles kernels for a device in parallel, ahead of their first use.

    kernels: pairs of a kernel file or source text and a kernel name. Failures are logged, and raised at first use.
    """
    missing = [(xp, device, *pair) for pair in dict.fromkeys(kernels)]
    missing = [key for key in missing if key not in _functions]
    if len(missing) < 2:
        return

    def load(key: tuple[Any, int, str, str]) -> str:
        try:
            with xp.cuda.Device(device):
                _load(key)
        except Exception as error:
            return f"{key[-1]}: {type(error).__name__}: {error}"
        return ""

    with futures.ThreadPoolExecutor(min(len(missing), os.cpu_count() or 1, _MAX_THREADS)) as pool:
        failures = [text for text in pool.map(load, missing) if text]
    if failures:
        logs.warning(
            "%d of %d kernels failed to compile ahead of time. %s",
            *(len(failures), len(missing), failures[0]),
        )


def compile_all(xp: ArrayModule, device: int) -> list[str]:
    """Compiles all kernels of all files for a device in parallel; returns their names.

    Compiles each kernel separately, as on first use, so later uses hit the process's cache or CuPy's disk cache.

    Raises:
      CompileException: CuPy's exception for compilation errors.
    """

    def load(key: tuple[Any, int, str, str]) -> str:
        with xp.cuda.Device(device):
            _load(key)
        return key[-1]

    keys = [(xp, device, name, kernel) for name in names() for kernel in kernel_names(text(name))]
    with futures.ThreadPoolExecutor(min(os.cpu_count() or 1, _MAX_THREADS)) as pool:
        return list(pool.map(load, keys))


def kernel_source(name: str, kernel: str) -> str:
    """Returns the compiler input for one kernel of a file or generated source.

    The kernel is selected in the text rather than by an option, because CuPy compiles an empty program for each new set
    of options before it looks in its cache.
    """
    return name if "\n" in name else f"#define ONLY\n#define ONLY_{kernel} 1\n{text(name)}"


def _load(key: tuple[Any, int, str, str]) -> Any:
    """Returns the driver's function for a kernel, which launches faster than CuPy's RawKernel."""
    with _lock:
        own_lock = _loading.setdefault(key, make_lock())
    with own_lock:  # one lock per kernel, so that other kernels compile concurrently
        function = _functions.get(key)
        if function is None:
            xp, _, name, kernel = key
            module = xp.RawModule(code=kernel_source(name, kernel), options=OPTIONS)
            function = _functions[key] = module.get_function(kernel).kernel
        return function
