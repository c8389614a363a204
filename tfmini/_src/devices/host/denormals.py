"""Flushes subnormal numbers to zero during a run, as TensorFlow does on CPUs.

x86 processors compute with subnormals at a third of their speed or less, and the moments of weights without gradients
decay to subnormals and remain subnormal.
"""

from __future__ import annotations

import ctypes
import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np

from tfmini._src.devices.host.native.library import bind_types, library

# flush(1) flushes subnormals, flush(0) keeps them; either returns the argument of restore().
_Functions: TypeAlias = tuple[Callable[[int], Any], Callable[[Any], Any]]
_Environment = ctypes.c_char * 32
# By processor: position of the control register in the environment, and its flush bits.
_REGISTERS = {"x86_64": (slice(28, 32), 1 << 15 | 1 << 6), "aarch64": (slice(0, 4), 1 << 24)}


def _native_functions(calls: ctypes.CDLL) -> _Functions:
    """Returns the setters of the native library, which take a tenth of a microsecond because they keep the GIL."""
    gil_library = ctypes.PyDLL(calls._name)
    switch, restore = gil_library["flush_subnormals"], gil_library["restore_subnormals"]
    return bind_types(switch, releases=False), bind_types(restore, releases=False)


def _c_functions() -> _Functions | None:
    """Returns setters that call the C library; None if it does not support this processor."""
    if not sys.platform.startswith("linux") or platform.machine() not in _REGISTERS:
        return None
    library_of_c = ctypes.PyDLL(None)
    try:
        get, set_ = library_of_c.fegetenv, library_of_c.fesetenv
    except AttributeError:
        return None
    get.argtypes = set_.argtypes = [_Environment]
    location, mask = _REGISTERS[platform.machine()]
    modes = []
    for bits in (0, mask):
        state = _Environment()
        get(state)
        bits |= int.from_bytes(state.raw[location], "little") & ~mask
        state.raw = (
            state.raw[: location.start] + bits.to_bytes(4, "little") + state.raw[location.stop :]
        )
        modes.append(state)

    def switch(flushed: int) -> Any:
        previous = _Environment()
        get(previous)
        set_(modes[flushed])
        return previous

    return switch, set_


def _setters_have_effect(functions: _Functions) -> bool:
    switch, restore = functions
    previous = switch(1)
    try:
        flushed = np.full(1, 1e-39, np.float32) * np.float32(0.5)
    finally:
        restore(previous)
    subnormal = np.full(1, 1e-39, np.float32) * np.float32(0.5)
    return bool(flushed[0] == 0.0 and subnormal[0] != 0.0)


def _load_setters() -> tuple[bool, _Functions]:
    """Returns whether the setters have an effect, and the setters."""
    calls = library()
    functions = _c_functions() if calls is None else _native_functions(calls)
    if functions is not None and _setters_have_effect(functions):
        for dtype in ("e", "f", "d"):
            # NumPy caches these limits; before 2.3 it warns if it first computes them while subnormals are flushed.
            np.finfo(dtype)
        return True, functions
    return False, (lambda flushed: None, lambda previous: None)


# flush(1) flushes this thread's subnormal numbers to zero, flush(0) keeps them; restore(result) undoes either.
FLUSHES, (flush, restore) = _load_setters()


@contextmanager
def enable_denormals() -> Iterator[None]:
    """Context manager that enables subnormal numbers in this thread."""
    previous = flush(0)
    try:
        yield
    finally:
        restore(previous)


@contextmanager
def flush_denormals() -> Iterator[None]:
    """Context manager that flushes subnormal numbers to zero in this thread."""
    previous = flush(1)
    try:
        yield
    finally:
        restore(previous)
