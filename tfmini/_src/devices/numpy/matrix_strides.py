"""Arrays of any rank read as matrices."""

from __future__ import annotations

from tfmini._src.devices.arrays import Array


def strides_as_matrix(array: Array, shape: tuple[int, ...]) -> tuple[int, int] | None:
    """The distances of rows and columns, in elements, with which an array that broadcasts to `shape` is read as a
    matrix of rows as long as its last axis; None if two do not do, or if it does not broadcast.
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
