"""Kernels as builtin functions, compared with the same calls by ctypes."""

import ctypes
import struct

import numpy as np
import pytest

from tfmini._src.devices.host.native import library, python_calls


def test_kernels_are_builtin_functions(build):
    kernel = library.function("take_rows_i64")
    assert type(kernel) is type(len)
    library.library.cache_clear()
    library.function.cache_clear()
    assert library.function("take_rows_i64") is kernel


def test_pointer_arguments_accept_arrays_bytes_and_addresses(build):
    table, sizes = np.arange(12.0).reshape(3, 4), struct.pack("2q", 3, 4)
    points, found = np.array([[2, 1], [0, 3]]), np.empty(2)
    take = library.function("take_points_i64")
    for given in ((table, points), map(library.address, (table, points))):
        found[:] = 0
        assert take(*given, library.address(found), sizes, 2, 2, 8, 1) == 1
        np.testing.assert_array_equal(found, [9, 3])
    points[0, 0] = 3
    assert take(table, points, found, sizes, True + 1, 2, 8, True) == 0


def test_float_arguments(build):
    x = np.random.RandomState(0).randn(5, 40)
    for dtype in ("f", "d"):
        found = np.empty(5, dtype)
        given = x.astype(dtype)
        largest = library.function(f"fmax_rows_{library.SUFFIXES[given.dtype]}")
        largest(given, found, 5, 40, 1, 0.75)
        np.testing.assert_array_equal(found, np.maximum(given.max(1), np.asarray(0.75, dtype)))


def test_other_arguments_are_converted_by_ctypes(build):
    found = np.empty(5, "f")
    given = np.random.RandomState(0).randn(5, 40).astype("f")
    largest = library.function("fmax_rows_f32")
    largest(given, ctypes.c_void_p(library.address(found)), 5, 40, 1, np.float32(9))
    np.testing.assert_array_equal(found, [9] * 5)
    with pytest.raises(ctypes.ArgumentError, match="argument 1"):
        largest(1.5, found, 5, 40, 1, 0.0)
    with pytest.raises(TypeError, match="at least 6 arguments"):
        largest(given, found)


def test_unknown_object_layout_uses_ctypes(build, monkeypatch):
    monkeypatch.setattr(python_calls, "_python", lambda: None)
    library.function.cache_clear()
    take, found = library.function("take_rows_i64"), np.empty((2, 4))
    assert isinstance(take, ctypes._CFuncPtr)
    table = np.arange(12.0).reshape(3, 4)
    assert take(table, np.array([2, 0]), found, 2, 3, 32, 1) == 1
    np.testing.assert_array_equal(found, table[[2, 0]])
