"""Means, variances and normalization of the columns of a matrix with one column per channel and one row per pixel.

On a CPU, a matrix is processed in blocks that stay in the cache, with several narrow rows merged into a wide row for
long numpy inner loops, and threads share the blocks; elsewhere, the matrix is one block.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.cuda.reductions import column_sums
from tfmini._src.devices.host.native import channel_statistics as native
from tfmini._src.devices.host.threads import run_parts

# Elements per block, which fit in the cache.
_BLOCK = 1 << 17
# Minimum columns per block row, if there are enough rows.
_MIN_BLOCK_COLUMNS = 1024


def _for_each_block(
    xp: ArrayModule, shape: tuple[int, int], work: Callable[[int, slice], None]
) -> None:
    """Calls `work` with the number and the rows of each block."""
    length = _block_length(xp, shape)

    def part(index: int) -> None:
        work(index, slice(index * length, min(shape[0], (index + 1) * length)))

    run_parts(part, _block_count(xp, shape))


def _block_length(xp: ArrayModule, shape: tuple[int, int]) -> int:
    return max(1, _BLOCK // max(shape[1], 1)) if xp is np else max(shape[0], 1)


def _block_count(xp: ArrayModule, shape: tuple[int, int]) -> int:
    return max(1, -(-shape[0] // _block_length(xp, shape)))


def _merged_row_count(rows: Array) -> int:
    """Returns the number of rows of a block to merge into one."""
    count, columns = rows.shape
    together = 1
    while (
        count and 0 < 2 * together * columns <= _MIN_BLOCK_COLUMNS and count % (2 * together) == 0
    ):
        together *= 2
    return together


def _merge_rows(rows: Array, together: int) -> Array:
    return rows if together == 1 else rows.reshape(-1, together * rows.shape[1])


def _repeat_vector(xp: ArrayModule, vector: Array, together: int) -> Array:
    return vector if together == 1 else xp.tile(vector, together)


def _column_sums(xp: ArrayModule, wide_rows: Any, columns: int) -> Array:
    sums = (
        np.ones(len(wide_rows), wide_rows.dtype) @ wide_rows
        if xp is np
        else column_sums(xp, wide_rows)
    )
    return sums if len(sums) == columns else sums.reshape(-1, columns).sum(axis=0)


def _as_float32(rows: Array) -> Array:
    return rows.astype(np.float32) if rows.dtype != np.float32 else rows


def column_statistics(xp: ArrayModule, x: Array) -> tuple[Array, Array]:
    """Returns the mean of each column and its variance, float32; NaN without rows."""
    result = native.statistics(x) if xp is np else None
    if result is not None:
        return result
    mean = _column_means(xp, x)
    return mean, _column_variances(xp, x, mean)


def _column_means(xp: ArrayModule, x: Array) -> Array:
    """Returns the mean of each column, float32; NaN without rows."""
    count, columns = x.shape
    sums = xp.empty((_block_count(xp, x.shape), columns), np.float32)

    def work(index: int, rows: slice) -> None:
        block = _as_float32(x[rows])
        sums[index] = _column_sums(xp, _merge_rows(block, _merged_row_count(block)), columns)

    _for_each_block(xp, x.shape, work)
    return sums.sum(axis=0) * _inverse(count)


def _column_variances(xp: ArrayModule, x: Array, mean: Array) -> Array:
    """Returns the mean squared distance of each column from `mean`, float32."""
    count, columns = x.shape
    sums = xp.empty((_block_count(xp, x.shape), columns), np.float32)

    def work(index: int, rows: slice) -> None:
        block = x[rows]
        together = _merged_row_count(block)
        centered = _merge_rows(block, together) - _repeat_vector(xp, mean, together)
        xp.multiply(centered, centered, out=centered)
        sums[index] = _column_sums(xp, centered, columns)

    _for_each_block(xp, x.shape, work)
    return sums.sum(axis=0) * _inverse(count)


def normalize_columns(
    xp: ArrayModule, x: Array, mean: Array, factor: Any, offset: Any, rectifies: bool = False
) -> Array:
    """Returns (x - mean) * factor + offset, optionally with ReLU, in the dtype of x; the vectors are float32."""
    output = native.normalize_channels(x, mean, factor, offset, rectifies) if xp is np else None
    if output is not None:
        return output
    result = xp.empty(x.shape, x.dtype)

    def work(index: int, rows: slice) -> None:
        block, out = x[rows], result[rows]
        together = _merged_row_count(block)
        wide_rows, target = _merge_rows(block, together), _merge_rows(out, together)
        single = out.dtype == np.float32
        value = xp.subtract(
            wide_rows, _repeat_vector(xp, mean, together), out=target if single else None
        )
        value *= _repeat_vector(xp, factor, together)
        value += _repeat_vector(xp, offset, together)
        if rectifies:
            xp.maximum(value, 0, out=value)
        if not single:
            target[...] = value

    _for_each_block(xp, x.shape, work)
    return result


def gradient_sums(xp: ArrayModule, grad: Array, x: Array, mean: Array) -> tuple[Array, Array]:
    """Returns the column sums of `grad` and of grad * (x - mean), float32."""
    result = native.gradient_sums(grad, x, mean) if xp is np else None
    if result is not None:
        return result[0], result[1]
    columns = x.shape[1]
    sums = xp.empty((2, _block_count(xp, x.shape), columns), np.float32)

    def work(index: int, rows: slice) -> None:
        together = _merged_row_count(x[rows])
        block, grads = (
            _merge_rows(x[rows], together),
            _as_float32(_merge_rows(grad[rows], together)),
        )
        sums[0, index] = _column_sums(xp, grads, columns)
        centered = block - _repeat_vector(xp, mean, together)
        centered *= grads
        sums[1, index] = _column_sums(xp, centered, columns)

    _for_each_block(xp, x.shape, work)
    totals = sums.sum(axis=1)
    return totals[0], totals[1]


def combine_columns(
    xp: ArrayModule,
    grad: Array,
    x: Array,
    mean: Array,
    grad_factor: Array,
    x_factor: Array,
    offset: Any,
) -> Array:
    """Returns grad * grad_factor + (x - mean) * x_factor + offset, in the dtype of grad; the vectors are float32."""
    output = (
        native.combine_gradients(grad, x, mean, grad_factor, x_factor, offset) if xp is np else None
    )
    if output is not None:
        return output
    result = xp.empty(grad.shape, grad.dtype)

    def work(index: int, rows: slice) -> None:
        together = _merged_row_count(x[rows])
        grads, target = _merge_rows(grad[rows], together), _merge_rows(result[rows], together)
        centered = _merge_rows(x[rows], together) - _repeat_vector(xp, mean, together)
        centered *= _repeat_vector(xp, x_factor, together)
        centered += _repeat_vector(xp, offset, together)
        single = target.dtype == np.float32
        value = xp.multiply(
            grads, _repeat_vector(xp, grad_factor, together), out=target if single else None
        )
        value += centered
        if not single:
            target[...] = value

    _for_each_block(xp, x.shape, work)
    return result


def scale_columns(xp: ArrayModule, x: Array, factor: Any) -> Array:
    """Returns x * factor, in the dtype of x; the vector is float32."""
    result = xp.empty(x.shape, x.dtype)

    def work(index: int, rows: slice) -> None:
        together = _merged_row_count(x[rows])
        wide_rows, target = _merge_rows(x[rows], together), _merge_rows(result[rows], together)
        repeated = _repeat_vector(xp, factor, together)
        if target.dtype == np.float32:
            xp.multiply(wide_rows, repeated, out=target)
        else:
            target[...] = wide_rows * repeated

    _for_each_block(xp, x.shape, work)
    return result


def _inverse(count: int) -> Any:
    return np.float32(1 / count) if count else np.float32(np.inf)
