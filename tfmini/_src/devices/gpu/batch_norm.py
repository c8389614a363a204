"""Batch normalization of matrices [rows, channels] of float32 or float16 on a GPU: two kernels each way.

All else is float32: the scale and offset, the statistics.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.gpu.launch import THREADS, Array, each, in_one_piece, run

_FILE = "batch_norm"
_TYPES = {"float32": "f32", "float16": "f16"}
_MOST_PARTS = 256  # that each block of the second kernel puts together


def suits(x: Array, *vectors: Array) -> bool:
    """Whether there are kernels for these dtypes, and some elements."""
    known = x.dtype.name in _TYPES and all(vector.dtype == np.float32 for vector in vectors)
    return known and all(array.size for array in (x, *vectors))


def normalized(
    xp: Any,
    x: Array,
    scale: Array,
    offset: Array,
    epsilon: float,
    given: tuple[Array, ...] | None = None,
) -> tuple[Array, ...]:
    """y, the mean, the variance with one row less, and what the gradient wants: the mean, the variance.

    given: the mean and the variance to normalize by, which are then copied, in place of those of `x`.
    """
    x, scale, offset = (in_one_piece(xp, array) for array in (x, scale, offset))
    rows, channels = x.shape
    kind = _TYPES[x.dtype.name]
    y = xp.empty_like(x)
    vectors = [xp.empty(channels, np.float32) for _ in range(4)]
    if given is not None:
        statistics = [in_one_piece(xp, array) for array in given]
        args = (x, scale, offset, *statistics, y, *vectors, x.size, channels, np.float32(epsilon))
        each(xp, _FILE, f"normalize_by_{kind}", x.size, *args)
        return (y, *vectors)
    grid, block, height = _divided(rows, channels)
    parts = xp.empty((2, grid[1], channels), np.float32)
    run(xp, _FILE, f"batch_moments_{kind}", grid, block, x, parts, rows, channels, height)
    sizes = rows, channels, height, np.float32(epsilon)
    args = (x, parts, scale, offset, y, *vectors, *sizes)
    run(xp, _FILE, f"batch_normalize_{kind}", grid, block, *args)
    return (y, *vectors)


def gradients(
    xp: Any,
    grad: Array,
    x: Array,
    scale: Array,
    mean: Array,
    variance: Array,
    epsilon: float,
    trained: bool,
) -> tuple[Array, Array, Array]:
    """The gradients of x, scale and offset; `trained`: the mean and variance are those of x."""
    given = [in_one_piece(xp, array) for array in (grad, x, scale, mean, variance)]
    grad, x, scale, mean, variance = given
    rows, channels = x.shape
    kind = _TYPES[x.dtype.name]
    grid, block, height = _divided(rows, channels)
    parts = xp.empty((2, grid[1], channels), np.float32)
    sums = (grad, x, mean, parts, rows, channels, height)
    run(xp, _FILE, f"batch_gradient_sums_{kind}", grid, block, *sums)
    made = xp.empty_like(x), xp.empty(channels, np.float32), xp.empty(channels, np.float32)
    args = (grad, x, parts, scale, mean, variance, *made, rows, channels, height)
    run(xp, _FILE, f"batch_gradients_{kind}", grid, block, *args, np.float32(epsilon), trained)
    return made


def _divided(rows: int, channels: int) -> tuple[tuple[int, int], tuple[int, int], int]:
    """The grid, the block and the rows of a block: its threads along x are neighbouring channels."""
    width = min(32, 1 << (channels - 1).bit_length())
    height = max(8 * (THREADS // width), -(-rows // _MOST_PARTS))
    return (-(-channels // width), -(-rows // height)), (width, THREADS // width), height
