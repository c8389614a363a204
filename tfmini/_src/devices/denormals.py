"""Floating numbers below the normal range count as zero in a run, as on TensorFlow's CPUs: x86 computes with them at
a third of its speed or less, and the moments of weights that get no gradient any more decay into them and stay there.

The processor has bits for it in a register of each thread, which is in what `fegetenv` of the C library stores: two in
x86's MXCSR, for results and operands, one for both in arm64's FPCR. Where there are none, or they do nothing, numbers
are computed as they are.
"""

from __future__ import annotations

import ctypes
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

_Environment = ctypes.c_char * 32
# By processor: where the register is in the environment, and its bits.
_REGISTERS = {"x86_64": (slice(28, 32), 1 << 15 | 1 << 6), "aarch64": (slice(0, 4), 1 << 24)}


def _functions() -> tuple[Any, Any]:
    """fegetenv and fesetenv of the C library; None where there are none for this kind of processor."""
    if not sys.platform.startswith("linux") or platform.machine() not in _REGISTERS:
        return None, None
    library = ctypes.PyDLL(None)
    try:
        functions = library.fegetenv, library.fesetenv
    except AttributeError:
        return None, None
    for function in functions:
        function.argtypes = [_Environment]
    return functions


def _with_bits(are_set: bool) -> Any:
    """The environment of this thread with all bits set, or none."""
    made = _Environment()
    _get(made)
    place, mask = _REGISTERS[platform.machine()]
    bits = int.from_bytes(made.raw[place], "little") | mask
    if not are_set:
        bits ^= mask
    made.raw = made.raw[: place.start] + bits.to_bytes(4, "little") + made.raw[place.stop :]
    return made


def _works() -> bool:
    before = _Environment()
    _get(before)
    _set(_flushed)
    try:
        flushed = np.full(1, 1e-39, np.float32) * np.float32(0.5)
    finally:
        _set(before)
    kept = np.full(1, 1e-39, np.float32) * np.float32(0.5)
    return bool(flushed[0] == 0.0 and kept[0] != 0.0)


_get, _set = _functions()
_flushed = _with_bits(True) if _get else None
_plain = _with_bits(False) if _get else None
FLUSHES = _get is not None and _works()


def flush() -> Any:
    """Makes this thread flush subnormal numbers to zero; returns the argument of `restore`."""
    if not FLUSHES:
        return None
    before = _Environment()
    _get(before)
    _set(_flushed)
    return before


def restore(before: Any) -> None:
    """Undoes `flush`."""
    if before is not None:
        _set(before)


@contextmanager
def kept() -> Iterator[None]:
    """A block in which this thread computes with subnormal numbers, whatever its mode was."""
    if not FLUSHES:
        yield
        return
    before = _Environment()
    _get(before)
    _set(_plain)
    try:
        yield
    finally:
        _set(before)


@contextmanager
def flushed() -> Iterator[None]:
    """A block in which this thread flushes subnormal numbers to zero."""
    before = flush()
    try:
        yield
    finally:
        restore(before)
