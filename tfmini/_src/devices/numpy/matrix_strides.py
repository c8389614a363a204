"""Arrays of any rank read as matrices."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.transpose import in_order


def strides_as_matrix(array: Array, shape: tuple[int, ...]) -> tuple[int, int] | None:
    """The row and column strides, in elements, for reading an array that broadcasts to `shape` as a matrix whose rows
    are as long as its last axis; None if two strides are not enough or it does not broadcast.
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


FEW_COLUMNS = 16  # of short rows


def with_merged_axes(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Merges the last two axes of an array that broadcasts to `shape`, repeating it along them as needed."""
    *outer, rows, columns = (1,) * (len(shape) - array.ndim) + array.shape
    array = in_order(array).reshape(*outer, rows, columns)
    if rows > 1 or columns > 1:
        if rows < shape[-2]:
            array = array.repeat(shape[-2], -2)
        if columns < shape[-1]:
            array = array.repeat(shape[-1], -1)
    return array.reshape(*outer, array.shape[-2] * array.shape[-1])
