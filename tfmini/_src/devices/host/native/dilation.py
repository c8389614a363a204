"""Grayscale dilation and its gradients, computed one line of windows at a time."""

from __future__ import annotations

import struct

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

_MIN_PARALLEL_SUMS = 1 << 13


def dilate(x: Array, filter: Array, rows: Axis, columns: Axis) -> np.ndarray | None:
    """Returns the largest sum of each window; None if NumPy must compute it."""
    result_shape = len(x), rows.count, columns.count, x.shape[-1]
    return _call_kernel("dilated", (x, filter), result_shape, rows, columns)


def input_gradient(
    x: Array, filter: Array, grad: Array, rows: Axis, columns: Axis
) -> np.ndarray | None:
    """Returns the gradient of the input, accumulated window by window; None if NumPy must compute it."""
    return _call_kernel("dilation_input_gradient", (x, filter, grad), x.shape, rows, columns)


def filter_gradient(
    x: Array, filter: Array, grad: Array, rows: Axis, columns: Axis
) -> np.ndarray | None:
    """Returns the gradient of the filter, accumulated window by window in each image; None if NumPy must compute it."""
    shape = (len(x), *filter.shape)
    parts = _call_kernel("dilation_filter_gradient", (x, filter, grad), shape, rows, columns)
    return None if parts is None else parts.sum(0)


def _call_kernel(
    name: str, arrays: tuple[Array, ...], shape: tuple[int, ...], rows: Axis, columns: Axis
) -> np.ndarray | None:
    if not all(isinstance(array, np.ndarray) and array.size for array in arrays):
        return None
    # The filter of an erosion is a reversed view.
    first, filter = arrays[0], np.ascontiguousarray(arrays[1])
    arrays = (first, filter, *arrays[2:])
    if first.dtype not in FLOATS:
        return None
    if any(array.dtype != first.dtype or not is_contiguous(array) for array in arrays):
        return None
    kernel = function(f"{name}_{SUFFIXES[first.dtype]}")
    if kernel is None or not rows.count * columns.count:
        return None
    windows = len(first), rows.count, columns.count, first.shape[-1]
    if first.shape[1:3] != (rows.size, columns.size):
        return None
    if filter.shape != (rows.kernel, columns.kernel, first.shape[-1]):
        return None
    if len(arrays) == 3 and arrays[2].shape != windows:
        return None
    if columns.stride == 1:
        filter = np.tile(filter, (1, 1, columns.count))
    fields = [len(first), first.shape[-1]]
    for axis in (rows, columns):
        fields += [axis.size, axis.kernel, axis.stride, axis.dilation, axis.before, axis.count]
    result = np.empty(shape, first.dtype)
    sums = len(first) * rows.count * columns.count * arrays[1].size
    threads = thread_count() if sums >= _MIN_PARALLEL_SUMS else 1
    operands = (first, filter, *arrays[2:], result)
    has_run = kernel(struct.pack("14q", *fields), *map(address, operands), threads)
    return result if has_run else None
