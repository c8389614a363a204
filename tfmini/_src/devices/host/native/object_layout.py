"""The memory layout of Python objects and NumPy arrays, as read by kernels."""

from __future__ import annotations

import ctypes
import sys
from functools import cache

import numpy as np

# An object's header ends with its type pointer; then follow, of a bytes object, the size and the bytes.
# `bytes.__basicsize__` includes the terminating one (bytesobject.h).
TYPE = object.__basicsize__ - ctypes.sizeof(ctypes.c_void_p)
SIZE = object.__basicsize__
DATA = bytes.__basicsize__ - 1
# The first field after the object header of PyArrayObject_fields (ndarraytypes.h), which every extension compiled
# against NumPy reads: an eighth of the time of the documented way.
ARRAY_DATA = object.__basicsize__


def _sample_type(sample: object) -> int:
    return ctypes.c_size_t.from_address(id(sample) + TYPE).value


@cache
def is_known() -> bool:
    """Whether objects of this Python have the described layout."""
    if sys.implementation.name != "cpython" or sys.byteorder != "little":
        return False
    for sample in (b"", b"a", bytes(range(100))):
        size = ctypes.c_ssize_t.from_address(id(sample) + SIZE).value
        if size != len(sample) or ctypes.string_at(id(sample) + DATA, size) != sample:
            return False
    return all(
        _sample_type(sample) == id(type(sample)) for sample in (b"", 1, 2**70, True, 0.5, None)
    )


def address_in_field(array: np.ndarray) -> int:
    """Returns the address of an array's elements, from the `data` field of its object."""
    return ctypes.c_size_t.from_address(id(array) + ARRAY_DATA).value


def documented_address(array: np.ndarray) -> int:
    """Returns the address of an array's elements, from NumPy's array interface."""
    return array.__array_interface__["data"][0]


@cache
def are_arrays_known() -> bool:
    """Whether the field is at the offset given by the header and contains the documented address."""
    samples = np.zeros(()), np.zeros(5, np.uint8)[2:], np.zeros((3, 2), "f").T
    if sys.implementation.name != "cpython":
        return False
    return all(address_in_field(sample) == documented_address(sample) for sample in samples)
