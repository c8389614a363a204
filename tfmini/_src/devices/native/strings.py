"""A number for each string where it lies, in an array of bytes objects: hashes, lengths, the number that it spells."""

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
def _kernel(name: str) -> Any:
    """A kernel, called with Python's lock held, as it reads objects; None where there is none."""
    if function(name) is None or not _fields_are_there():
        return None
    kernel = ctypes.PyDLL(library()._name)[name]
    kernel.argtypes = Pointer, _INDEX, ctypes.POINTER(_Fields), Pointer, Pointer, Pointer
    kernel.restype = ctypes.c_int
    return kernel


def numbers_of(name: str, strings: Any, dtype: Any, key: tuple[int, ...] = ()) -> Any:
    """The numbers of an array of bytes objects, in its shape; None where numpy makes them.

    Args:
      name: "fingerprints", "murmur_hashes", "sip_hashes", "lengths", or what they spell in the usual way: "integers"
        (of up to 18 digits), "floats".
      dtype: of the numbers, 64 bits.
      key: of SipHash, two words.
    """
    kernel = _kernel(name)
    if kernel is None or not isinstance(strings, np.ndarray):
        return None
    if strings.dtype.kind != "O" or not strings.flags.c_contiguous:
        return None
    result = np.empty(strings.shape, dtype)
    fields, words = _Fields(_TYPE, _SIZE, _DATA), np.array(key, np.uint64)
    given = address(strings), strings.size, ctypes.byref(fields), id(bytes), address(result)
    return result if kernel(*given, address(words)) else None
