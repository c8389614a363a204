"""Kernels as builtin functions, compared with the same calls by ctypes."""

import ctypes
import struct

import numpy as np
import pytest

from tfmini._src.devices.host.native import builtin_functions, library


def test_kernels_are_builtin_functions(build):
    kernel = library.function("take_rows_i64")
    assert type(kernel) is type(len)
    library.library.cache_clear()
    library.function.cache_clear()
    assert library.function("take_rows_i64") is kernel


def test_pointer_arguments_accept_arrays_bytes_and_addresses(build):
    table, sizes = np.arange(12.0).reshape(3, 4), struct.pack("2q", 3, 4)
    points, result = np.array([[2, 1], [0, 3]]), np.empty(2)
    take = library.function("take_points_i64")
    for value in ((table, points), map(library.address, (table, points))):
        result[:] = 0
        assert take(*value, library.address(result), sizes, 2, 2, 8, 1) == 1
        np.testing.assert_array_equal(result, [9, 3])
    points[0, 0] = 3
    assert take(table, points, result, sizes, True + 1, 2, 8, True) == 0


def test_float_arguments(build):
    x = np.random.RandomState(0).randn(5, 40)
    for dtype in ("f", "d"):
        result = np.empty(5, dtype)
        inputs = x.astype(dtype)
        largest = library.function(f"fmax_rows_{library.SUFFIXES[inputs.dtype]}")
        largest(inputs, result, 5, 40, 1, 0.75)
        np.testing.assert_array_equal(result, np.maximum(inputs.max(1), np.asarray(0.75, dtype)))


def test_other_arguments_are_converted_by_ctypes(build):
    result = np.empty(5, "f")
    inputs = np.random.RandomState(0).randn(5, 40).astype("f")
    largest = library.function("fmax_rows_f32")
    largest(inputs, ctypes.c_void_p(library.address(result)), 5, 40, 1, np.float32(9))
    np.testing.assert_array_equal(result, [9] * 5)
    with pytest.raises(ctypes.ArgumentError, match="argument 1"):
        largest(1.5, result, 5, 40, 1, 0.0)
    with pytest.raises(TypeError, match="at least 6 arguments"):
        largest(inputs, result)


def test_unknown_object_layout_uses_ctypes(build, monkeypatch):
    monkeypatch.setattr(builtin_functions, "_python", lambda: None)
    library.function.cache_clear()
    take, result = library.function("take_rows_i64"), np.empty((2, 4))
    assert isinstance(take, ctypes._CFuncPtr)
    table = np.arange(12.0).reshape(3, 4)
    assert take(table, np.array([2, 0]), result, 2, 3, 32, 1) == 1
    np.testing.assert_array_equal(result, table[[2, 0]])
