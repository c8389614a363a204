"""L2 loss on a GPU: half the sum of squares, which gradient norms also use."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.fusion import FusedKernel
from tfmini._src.devices.cuda.launch import Array, as_contiguous

_ONE_BLOCK = 8192  # maximum elements summed by one block


class _Step(NamedTuple):
    ufunc: Any
    operands: tuple[tuple[str, int], ...]
    target: tuple[str, int]


@cache
def _half_squares_kernel(dtype: np.dtype) -> FusedKernel:
    """Returns the kernel that sums x * x * 0.5, where halving is exact."""
    square = _Step(np.square, (("input", 0),), ("buffer", 0))
    halve = _Step(np.multiply, (("buffer", 0), ("input", 1)), ("result", 0))
    return FusedKernel((square, halve), dtype, (0,))


def half_sum_of_squares(xp: ArrayModule, array: Array) -> Array:
    """Returns half the sum of squares of an array, float32 or float64, as a scalar of its dtype."""
    flat = as_contiguous(xp, array).reshape(1, -1)
    kernel = _half_squares_kernel(array.dtype)
    if flat.size <= _ONE_BLOCK:
        return kernel.reduced(xp, "add", flat, 0.5, rows=True).reshape(())
    return kernel.reduced(xp, "add", flat, 0.5)
