"""Access to arrays of any rank as matrices."""

from __future__ import annotations

import math

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.transpose import in_order


def strides_as_matrix(array: Array, shape: tuple[int, ...]) -> tuple[int, int] | None:
    """Returns the row and column strides, in elements, for reading an array that broadcasts to `shape` as a matrix
    whose rows are as long as its last axis; None if two strides are not enough or it does not broadcast.
    """
    missing = len(shape) - array.ndim
    if missing < 0 or any(m not in (1, n) for m, n in zip(array.shape, shape[missing:])):
        return None
    strides = [0] * missing
    strides += [0 if n == 1 else s for n, s in zip(array.shape, array.strides)]
    if any(stride < 0 or stride % array.itemsize for stride in strides):
        return None
    *outer, column = (stride // array.itemsize for stride in strides or (0,))
    row, expected = 0, None
    for size, stride in zip(reversed(shape[:-1]), reversed(outer)):
        if size == 1:
            continue
        if expected is None:
            row = stride
        elif stride != expected:
            return None
        expected = stride * size
    return row, column


SHORT_ROW_COLUMNS = 16  # of short rows


def merge_axes(array: np.ndarray, shape: tuple[int, ...], count: int) -> np.ndarray:
    """Merges the last `count` axes of an array that broadcasts to `shape`, repeating elements along them as needed."""
    sizes = (1,) * (len(shape) - array.ndim) + array.shape
    if contiguous_axes(array) < min(count, array.ndim):
        array = in_order(array)
    array = array.reshape(sizes)
    if any(size > 1 for size in sizes[-count:]):
        for axis in range(-count, 0):
            if sizes[axis] < shape[axis]:
                array = array.repeat(shape[axis], axis)
    return array.reshape(*sizes[:-count], math.prod(array.shape[-count:]))


def contiguous_axes(array: np.ndarray) -> int:
    """Returns the number of trailing axes whose elements are adjacent."""
    expected, count = array.itemsize, 0
    for size, stride in zip(reversed(array.shape), reversed(array.strides)):
        if size != 1 and stride != expected:
            break
        expected, count = expected * size, count + 1
    return count
