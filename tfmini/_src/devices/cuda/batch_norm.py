"""Batch normalization of float32 or float16 images on a GPU, with two kernels forward and two backward.

Images are [..., channels], or [batch, channels, ...] with `channels_first`. Scale, offset and statistics are float32.
"""

from __future__ import annotations

import math

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.launch import THREADS, Array, as_contiguous, per_element, run

_FILE = "batch_norm"
_TYPES = {"float32": "f32", "float16": "f16"}
_MAX_PARTS = 256  # maximum parts combined by each block of the second kernel


def is_supported(x: Array, *vectors: Array) -> bool:
    """Whether there are kernels for these dtypes, and the arrays are not empty."""
    has_kernel = x.dtype.name in _TYPES and all(vector.dtype == np.float32 for vector in vectors)
    return has_kernel and all(array.size for array in (x, *vectors))


def normalize(
    xp: ArrayModule,
    x: Array,
    scale: Array,
    offset: Array,
    epsilon: float,
    moments: tuple[Array, ...] | None = None,
    *,
    channels_first: bool = False,
    residual: Array | None = None,
    rectify: bool = False,
) -> tuple[Array, ...]:
    """Returns y, the mean and unbiased variance, and the mean and variance saved for the gradient.

    Args:
      moments: mean and variance that replace the statistics of `x`; copied to the results.
      residual: a residual of y's shape and dtype, added to y before the ReLU.
    """
    x, scale, offset = (as_contiguous(xp, array) for array in (x, scale, offset))
    residual = residual if residual is None else as_contiguous(xp, residual)
    rows, channels, inner = _rows_channels_depth(x, channels_first)
    suffix = _TYPES[x.dtype.name]
    y = xp.empty_like(x)
    vectors = [xp.empty(channels, np.float32) for _ in range(4)]
    if moments is not None:
        statistics = [as_contiguous(xp, array) for array in moments]
        arrays = (x, scale, offset, *statistics, residual, y, *vectors)
        sizes = x.size, channels, inner, np.float32(epsilon)
        per_element(xp, _FILE, f"normalize_by_{suffix}", x.size, *arrays, *sizes, rectify)
        return (y, *vectors)
    grid, block, height = _launch_grid(rows, channels, channels_first)
    shape_args = rows, channels, inner, height
    parts = xp.empty((2, grid[1], channels), np.float32)
    run(xp, _FILE, f"batch_moments_{suffix}", grid, block, x, parts, *shape_args)
    args = (
        x,
        parts,
        scale,
        offset,
        residual,
        y,
        *vectors,
        *shape_args,
        np.float32(epsilon),
        rectify,
    )
    run(xp, _FILE, f"batch_normalize_{suffix}", grid, block, *args)
    return (y, *vectors)


def gradients(
    xp: ArrayModule,
    grad: Array,
    x: Array,
    scale: Array,
    mean: Array,
    variance: Array,
    epsilon: float,
    trained: bool,
    *,
    channels_first: bool = False,
    rectified: Array | None = None,
) -> tuple[Array, Array, Array]:
    """Returns the gradients with respect to x, scale and offset.

    Args:
      trained: whether mean and variance are computed from x.
      rectified: y after ReLU, if `grad` is the gradient of the ReLU's output.
    """
    values = [as_contiguous(xp, array) for array in (grad, x, scale, mean, variance)]
    grad, x, scale, mean, variance = values
    rectified = rectified if rectified is None else as_contiguous(xp, rectified)
    rows, channels, inner = _rows_channels_depth(x, channels_first)
    suffix = _TYPES[x.dtype.name]
    grid, block, height = _launch_grid(rows, channels, channels_first)
    shape_args = rows, channels, inner, height
    parts = xp.empty((2, grid[1], channels), np.float32)
    sums = (grad, rectified, x, mean, parts, *shape_args)
    run(xp, _FILE, f"batch_gradient_sums_{suffix}", grid, block, *sums)
    result = xp.empty_like(x), xp.empty(channels, np.float32), xp.empty(channels, np.float32)
    args = (grad, rectified, x, parts, scale, mean, variance, *result, *shape_args)
    run(xp, _FILE, f"batch_gradients_{suffix}", grid, block, *args, np.float32(epsilon), trained)
    return result


def _rows_channels_depth(x: Array, channels_first: bool) -> tuple[int, int, int]:
    """Returns the numbers of rows, channels, and adjacent elements per channel."""
    channels = x.shape[1 if channels_first else -1]
    return x.size // channels, channels, math.prod(x.shape[2:]) if channels_first else 1


def _launch_grid(
    rows: int, channels: int, channels_first: bool
) -> tuple[tuple[int, int], tuple[int, int], int]:
    """Returns the grid, the block and the rows per block; adjacent threads access adjacent memory."""
    width = 1 if channels_first else min(32, 1 << (channels - 1).bit_length())
    height = max(8 * (THREADS // width), -(-rows // _MAX_PARTS))
    return (-(-channels // width), -(-rows // height)), (width, THREADS // width), height
