"""Fingerprints of strings where they lie: of the bytes objects in an array."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

import numpy as np

from tfmini._src.devices.native.library import Pointer, address, function, library

_INDEX = ctypes.c_int64
# The head of an object ends with the address of its type; the number of elements follows, and the bytes, of which
# `bytes.__basicsize__` counts the one that ends them (bytesobject.h).
_TYPE = object.__basicsize__ - ctypes.sizeof(Pointer)
_SIZE = object.__basicsize__
_DATA = bytes.__basicsize__ - 1


class _Fields(ctypes.Structure):
    _fields_ = (("type", _INDEX), ("size", _INDEX), ("data", _INDEX))


def _fields_are_there() -> bool:
    """Whether bytes objects of this Python look as described."""
    if sys.implementation.name != "cpython" or sys.byteorder != "little":
        return False
    for sample in (b"", b"a", bytes(range(100))):
        place = id(sample)
        own = ctypes.c_size_t.from_address(place + _TYPE).value
        size = ctypes.c_ssize_t.from_address(place + _SIZE).value
        if own != id(bytes) or size != len(sample):
            return False
        if ctypes.string_at(place + _DATA, size) != sample:
            return False
    return True


@cache
def _kernel() -> Any:
    """The kernel, called with Python's lock held, as it reads objects; None where there is none."""
    if function("fingerprints") is None or not _fields_are_there():
        return None
    kernel = ctypes.PyDLL(library()._name).fingerprints
    kernel.argtypes = Pointer, _INDEX, ctypes.POINTER(_Fields), Pointer, Pointer
    kernel.restype = ctypes.c_int
    return kernel


def fingerprints(strings: np.ndarray) -> np.ndarray | None:
    """The 64-bit fingerprint of each bytes object of a vector, as uint64; None where numpy computes it."""
    kernel = _kernel()
    if kernel is None or strings.dtype != object or not strings.flags.c_contiguous:
        return None
    result = np.empty(strings.size, np.uint64)
    fields = _Fields(_TYPE, _SIZE, _DATA)
    given = address(strings), strings.size, ctypes.byref(fields), id(bytes), address(result)
    return result if kernel(*given) else None
