"""Depthwise convolution and its gradients, computed pixel by pixel."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.library import (
    FLOATS,
    SUFFIXES,
    address,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count
from tfmini._src.devices.numpy.windows.axes import Axis

_MIN_PARALLEL_PRODUCTS = 1 << 17


def convolve_depthwise(x: Array, filter: Array, rows: Axis, columns: Axis) -> np.ndarray | None:
    """Returns the convolution, [batch, rows, columns, depth * multiples]; None if NumPy must compute it.

    The filter is [rows, columns, depth, multiples].
    """
    kernel = _kernel_for_arrays("depthwise", x, filter)
    if kernel is None or not rows.count * columns.count:
        return None
    result = np.empty((len(x), rows.count, columns.count, filter[0, 0].size), x.dtype)
    tables = _windows_elements(rows), _windows_elements(columns)
    _call_kernel(
        kernel,
        tables,
        _repeat_channels(x, filter.shape[3]),
        _merge_channels(filter),
        result,
        result,
        filter,
    )
    return result


def input_gradient(filter: Array, grad: Array, rows: Axis, columns: Axis) -> np.ndarray | None:
    """Returns the gradient of the input, [batch, rows, columns, depth]; None if NumPy must compute it."""
    kernel = _kernel_for_arrays("depthwise", grad, filter)
    if kernel is None or not rows.size * columns.size:
        return None
    depth, multiples = filter.shape[2:]
    result = np.empty((len(grad), rows.size, columns.size, depth * multiples), grad.dtype)
    tables = _elements_windows(rows), _elements_windows(columns)
    _call_kernel(kernel, tables, grad, _merge_channels(filter), result, result, filter)
    if multiples == 1:
        return result
    sums = result.reshape(-1, multiples) @ np.ones(multiples, grad.dtype)
    return sums.reshape(*result.shape[:3], depth)


def filter_gradient(x: Array, grad: Array, rows: Axis, columns: Axis) -> np.ndarray | None:
    """Returns the gradient of the filter, [rows, columns, depth, multiples]; None if NumPy must compute it."""
    kernel = _kernel_for_arrays("depthwise_filter_gradient", x, grad)
    if kernel is None:
        return None
    multiples = grad.shape[3] // x.shape[3]
    parts = -(-len(x) * rows.count // _LINES)
    shape = (rows.kernel, columns.kernel, x.shape[3], multiples)
    sums = np.empty((parts, *shape), x.dtype)
    tables = _windows_elements(rows), _windows_elements(columns)
    _call_kernel(kernel, tables, _repeat_channels(x, multiples), grad, sums, grad, sums[0])
    return sums.sum(0)


_LINES = (
    # Number of parts that the kernel sums separately, as in kernels/cpu/depthwise_conv.cpp.
    8
)


def _kernel_for_arrays(name: str, *arrays: Array) -> Any:
    first = arrays[0]
    if first.dtype not in FLOATS:
        return None
    for array in arrays:
        if array.dtype != first.dtype or not array.size or not is_contiguous(array):
            return None
    return function(f"{name}_{SUFFIXES[first.dtype]}")


def _call_kernel(
    kernel: Any,
    tables: tuple[Array, ...],
    images: Array,
    second: Any,
    result: Array,
    lines: Array,
    filter: Array,
) -> None:
    """Calls a kernel on `lines` of shape [batch, rows, columns, channels], where each row is a unit of work."""
    batch, rows, columns, depth = lines.shape
    sizes = struct.pack("7q", *images.shape[1:3], rows, columns, depth, *filter.shape[:2])
    threads = thread_count() if lines.size * filter[..., 0, 0].size >= _MIN_PARALLEL_PRODUCTS else 1
    kernel(sizes, *map(address, (*tables, images, second, result)), batch, threads)


def _repeat_channels(x: np.ndarray, multiples: int) -> np.ndarray:
    return x if multiples == 1 else np.repeat(x, multiples, axis=3)


def _merge_channels(filter: np.ndarray) -> np.ndarray:
    return filter.reshape(*filter.shape[:2], -1)


@lru_cache(maxsize=64)
def _windows_elements(axis: Axis) -> np.ndarray:
    """Returns int32 [windows, kernel]: the input element at each filter position of each window, -1 if outside."""
    offsets = np.arange(axis.kernel) * axis.dilation - axis.before
    positions = np.arange(axis.count)[:, None] * axis.stride + offsets
    return np.where((positions >= 0) & (positions < axis.size), positions, -1).astype(np.int32)


@lru_cache(maxsize=64)
def _elements_windows(axis: Axis) -> np.ndarray:
    """Returns int32 [size, kernel]: the window that has each input element at each filter position, or -1."""
    offsets = np.arange(axis.kernel) * axis.dilation - axis.before
    positions = np.arange(axis.size)[:, None] - offsets
    windows, remainders = np.divmod(positions, axis.stride)
    valid = (remainders == 0) & (windows >= 0) & (windows < axis.count)
    return np.where(valid, windows, -1).astype(np.int32)
