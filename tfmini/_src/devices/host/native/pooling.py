"""Pooling of images and its gradients, one window at a time for all channels."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.library import (
    FLOATS,
    SUFFIXES,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count
from tfmini._src.devices.numpy.windows.axes import Axis

_MIN_PARALLEL_ELEMENTS = 1 << 15


def max_pooled(x: Array, axes: Sequence[Axis], lowest: Any) -> np.ndarray | None:
    """Returns the largest element of each window, at least `lowest`, ignoring NaN; None if NumPy must compute it."""
    return _pool("max_pooled", x, axes, (lowest,))


def max_with_indices(
    x: Array, axes: Sequence[Axis], includes_batch: bool
) -> tuple[np.ndarray, np.ndarray] | None:
    """Returns the first largest element of each window and its int64 index in its image; None if NumPy must compute it.

    includes_batch: whether indices are relative to the first image of the batch.
    """
    kernel = _kernel_for_arrays("max_places", axes, x)
    if kernel is None or not x.size or x[0].size >= 1 << 31:
        return None
    result = np.empty((len(x), *(axis.count for axis in axes), x.shape[-1]), x.dtype)
    indices = np.empty(result.shape, np.int64)
    windows = _pack_windows(len(x), x.shape[-1], tuple(axes))
    arguments = _threads(x.size), includes_batch, indices
    kernel(windows, x, result, *arguments)
    return result, indices


def average_pooled(x: Array, axes: Sequence[Axis]) -> np.ndarray | None:
    """Returns the mean of each window's elements; None if NumPy must compute it."""
    return _pool("average_pooled", x, axes, ())


def max_gradient(
    x: Array, grad: Array, axes: Sequence[Axis], rectified: bool = False
) -> np.ndarray | None:
    """Returns the input's gradient: each window's is added at its first largest element; None if NumPy must compute it.

    rectified: whether to apply the gradient of the ReLU that produced `x`.
    """
    return _gradient("max_gradient", axes, x.shape, x, grad, arguments=(rectified,))


def average_gradient(grad: Array, axes: Sequence[Axis]) -> np.ndarray | None:
    """Returns the gradient with respect to the input; None if NumPy must compute it."""
    if not isinstance(grad, np.ndarray):
        return None
    shape = (len(grad), *(axis.size for axis in axes), grad.shape[-1])
    return _gradient("average_gradient", axes, shape, grad)


def _pool(name: str, x: Any, axes: Sequence[Axis], arguments: tuple[int, ...]) -> np.ndarray | None:
    kernel = _kernel_for_arrays(name, axes, x)
    if kernel is None:
        return None
    result = np.empty((len(x), *(axis.count for axis in axes), x.shape[-1]), x.dtype)
    if x.size and result.size:
        windows = _pack_windows(len(x), x.shape[-1], tuple(axes))
        kernel(windows, x, result, _threads(x.size), *arguments)
        return result
    return None


def _gradient(
    name: str,
    axes: Sequence[Axis],
    shape: tuple[int, ...],
    *arrays: Any,
    arguments: tuple[int, ...] = (),
) -> np.ndarray | None:
    kernel = _kernel_for_arrays(name, axes, *arrays)
    if kernel is None or not all(array.size for array in arrays):
        return None
    result = np.empty(shape, arrays[-1].dtype)
    windows = _pack_windows(shape[0], shape[-1], tuple(axes))
    kernel(windows, *arrays, result, _threads(result.size), *arguments)
    return result


def _kernel_for_arrays(name: str, axes: Sequence[Axis], *arrays: Any) -> Any:
    """Returns the kernel for contiguous arrays of one dtype; None if NumPy must compute."""
    first = arrays[0]
    if not isinstance(first, np.ndarray) or first.dtype not in FLOATS or len(axes) > 2:
        return None
    if any(array.dtype != first.dtype or not is_contiguous(array) for array in arrays):
        return None
    if any(axis.dilation != 1 or axis.stride < 1 for axis in axes):
        return None
    return function(f"{name}_{SUFFIXES[first.dtype]}")


@lru_cache(maxsize=256)
def _pack_windows(batch: int, depth: int, axes: tuple[Axis, ...]) -> bytes:
    """Returns the windows in the format of the kernels; a single axis becomes one row."""
    rows, columns = (None, *axes)[-2:]
    fields = [batch, depth]
    for axis in (rows, columns):
        if axis is None:
            fields += [1, 1, 1, 0, 1]
        else:
            fields += [axis.size, axis.kernel, axis.stride, axis.before, axis.count]
    return struct.pack("12q", *fields)


def _threads(elements: int) -> int:
    return thread_count() if elements >= _MIN_PARALLEL_ELEMENTS else 1
