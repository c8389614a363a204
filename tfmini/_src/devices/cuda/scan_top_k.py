"""Cumulative sums and top-k on a GPU."""

from __future__ import annotations

import math

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.launch import (
    MAX_WIDE_THREADS,
    NUMBERS,
    Array,
    as_contiguous,
    matrix,
    per_element,
    rows,
    run,
)

_SCANNED_ELEMENTS = 4096  # number of elements of a long row that a block scans
_MIN_SPLIT_LENGTH = 4 * _SCANNED_ELEMENTS
_MIN_SATURATING_ROWS = 128  # number of rows that saturate a GPU with one block each
MAX_K = 64  # largest k for which `top_k` is faster than sorting the rows


def scan(
    xp: ArrayModule,
    operation: str,
    array: Array,
    axis: int,
    exclusive: bool = False,
    reverse: bool = False,
) -> Array:
    """Returns the cumulative sums ("cumsum"), products ("cumprod") or logarithms of sums of exponentials
    ("cumulative_logsumexp", of floats) along an axis.

    With `exclusive`, each sum excludes its own element; `reverse` accumulates from the end.
    """
    array = as_contiguous(xp, array)
    result = xp.empty_like(array)
    axis %= array.ndim
    outer, length = math.prod(array.shape[:axis]), array.shape[axis]
    inner = math.prod(array.shape[axis + 1 :])
    name = NUMBERS[array.dtype.name]
    if not array.size:
        return result
    flags = (exclusive, reverse)
    if inner > 1 or length < 32:
        kernel = f"{operation}_lines_{name}"
        per_element(xp, "scans", kernel, outer * inner, array, result, outer, length, inner, *flags)
    elif length >= _MIN_SPLIT_LENGTH and outer < _MIN_SATURATING_ROWS:
        parts = -(-length // _SCANNED_ELEMENTS)
        part_values = xp.empty((outer, parts), array.dtype)
        sizes = (outer, length, _SCANNED_ELEMENTS, parts)
        grid, block = (min(outer * parts, 1 << 16),), (MAX_WIDE_THREADS,)
        args = (array, result, part_values, *sizes, *flags)
        run(xp, "scans", f"{operation}_parts_{name}", grid, block, *args)
        carry = scan(xp, operation, part_values, 1, exclusive=True)
        per_element(
            xp, "scans", f"{operation}_before_{name}", array.size, result, carry, *sizes, reverse
        )
    else:
        threads = min(MAX_WIDE_THREADS, -(-length // 32) * 32)
        grid, block = (min(outer, 1 << 16),), (threads,)
        run(
            xp,
            "scans",
            f"{operation}_rows_{name}",
            grid,
            block,
            array,
            result,
            outer,
            length,
            *flags,
        )
    return result


def top_k(xp: ArrayModule, array: Array, k: int) -> tuple[Array, Array]:
    """Returns the k largest elements [..., k] along the last axis in descending order, and their int32 indices; ties
    are in index order, NaN is last. k is at most `MAX_K`.
    """
    array = as_contiguous(xp, array)
    count, columns = matrix(array)
    values = xp.empty((*array.shape[:-1], k), array.dtype)
    positions = xp.empty(values.shape, np.int32)
    if values.size:
        kernel = f"top_k_{NUMBERS[array.dtype.name]}"
        args = (array, values, positions, count, columns, k)
        run(xp, "top_k", kernel, *rows(count, columns), *args)
    return values, positions
