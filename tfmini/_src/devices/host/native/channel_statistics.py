"""Column statistics of a float32 matrix, one column per channel, and their use in batch normalization."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.library import float_kernel, function
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_ELEMENTS = 1 << 16


def statistics(x: Array) -> tuple[np.ndarray, np.ndarray] | None:
    """Returns the mean and variance of each column; None if NumPy must compute them."""
    kernel = float_kernel("channel_statistics", x)
    if kernel is None:
        return None
    mean, variance = np.empty((2, x.shape[1]), np.float32)
    _call_kernel(kernel, x.shape, x, mean, variance)
    return mean, variance


def normalize_channels(
    x: Array, mean: Array, factor: Any, offset: Any, rectifies: bool = False
) -> np.ndarray | None:
    """Returns (x - mean) * factor + offset, optionally with ReLU; None if NumPy must compute it."""
    kernel = float_kernel("normalize_channels", x, mean, factor, offset)
    if kernel is None:
        return None
    result = np.empty_like(x)
    _call_kernel(kernel, x.shape, x, mean, factor, offset, result, parameters=(rectifies,))
    return result


def gradient_sums(grad: Any, x: Any, mean: Any, features: Any = None) -> np.ndarray | None:
    """Returns the sums of `grad` and of grad * (x - mean), [2, columns]; None if NumPy must compute them.

    With `features`, `grad` is the gradient of the ReLU that produced them.
    """
    kernel = float_kernel("channel_gradient_sums", grad, features, x, mean)
    if kernel is None:
        return None
    sums = np.empty((2, x.shape[1]), np.float32)
    _call_kernel(kernel, x.shape, grad, features, x, mean, sums)
    return sums


def combine_gradients(
    grad: Any, x: Any, mean: Any, grad_factor: Any, x_factor: Any, offset: Any, features: Any = None
) -> np.ndarray | None:
    """Returns grad * grad_factor + (x - mean) * x_factor + offset; None if NumPy must compute it.

    `features` is as in `gradient_sums`.
    """
    arrays = grad, features, x, mean, grad_factor, x_factor, offset
    kernel = float_kernel("combine_channels", *arrays)
    if kernel is None:
        return None
    result = np.empty_like(x)
    _call_kernel(kernel, x.shape, *arrays, result)
    return result


def _call_kernel(
    kernel: Any, shape: tuple[int, ...], *arrays: Array, parameters: tuple[float, ...] = ()
) -> None:
    sizes, memory, threads = _kernel_sizes(*shape, thread_count())
    workspace = np.empty(memory, np.float32)
    kernel(sizes, *arrays, workspace, *parameters, threads)


@lru_cache(maxsize=256)
def _kernel_sizes(rows: int, columns: int, threads: int) -> tuple[bytes, int, int]:
    """Returns (packed sizes for the kernels, number of scratch elements, number of threads)."""
    sizes = struct.pack("2q", rows, columns)
    threads = threads if rows * columns >= _MIN_PARALLEL_ELEMENTS else 1
    count: Any = function("channels_memory")
    return sizes, count(sizes, threads), threads
