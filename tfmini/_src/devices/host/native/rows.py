"""Sums, products and extremes of rows, segment sums, and gathering and scattering of rows."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from tfmini._src.devices.host.native.library import (
    CONTIGUOUS,
    FLOATS,
    IDS,
    SUFFIXES,
    address,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

# Minimum number of elements of sums and products; smaller ones add in the order of NumPy and BLAS.
_MIN_ELEMENTS = 1 << 12
_MIN_PARALLEL_ELEMENTS = 1 << 18
_MIN_SUMMED_COLUMNS = 32  # minimum columns; for shorter rows, a product with ones is as fast
_MAX_STITCHED_RATIO = (
    4  # of result to input rows: the kernel writes zeros that NumPy leaves untouched
)
_MIN_SORTED_BYTES = 1 << 22
_MIN_PARALLEL_GATHER_BYTES = 1 << 18


def extremes(reduce: str, matrix: np.ndarray, limit: Any) -> np.ndarray | None:
    """Reduces each row and `limit` by "maximum", "minimum", "fmax" or "fmin"; None if NumPy must compute it."""
    if not matrix.size or matrix.dtype not in FLOATS or not is_contiguous(matrix):
        return None
    kernel = function(f"{reduce}_rows_{SUFFIXES[matrix.dtype]}")
    if kernel is None:
        return None
    rows, columns = matrix.shape
    result = np.empty(rows, matrix.dtype)
    kernel(matrix, result, rows, columns, _threads(matrix), limit)
    return result


def row_sums(matrix: np.ndarray) -> np.ndarray | None:
    """Returns the sum of each row; None if NumPy must compute it."""
    if matrix.size < _MIN_ELEMENTS or matrix.dtype not in FLOATS or not is_contiguous(matrix):
        return None
    kernel = function(f"row_sums_{SUFFIXES[matrix.dtype]}")
    rows, columns = matrix.shape
    if kernel is None or columns < _MIN_SUMMED_COLUMNS:
        return None
    result = np.empty(rows, matrix.dtype)
    kernel(matrix, result, rows, columns, _threads(matrix))
    return result


def row_products(matrix: np.ndarray) -> np.ndarray | None:
    """Returns the product of each row; None if NumPy must compute it."""
    if matrix.size < _MIN_ELEMENTS or matrix.dtype not in FLOATS or not is_contiguous(matrix):
        return None
    kernel = function(f"row_products_{SUFFIXES[matrix.dtype]}")
    if kernel is None:
        return None
    rows, columns = matrix.shape
    result = np.empty(rows, matrix.dtype)
    kernel(matrix, result, rows, columns, _threads(matrix))
    return result


_BLOCK_INVARIANT_OPS = ("fmax", "fmin")  # bitwise equal regardless of how the rows are divided
_BLOCK = 16  # minimum rows per thread
_STARTS = {"add": -0.0, "multiply": 1.0, "fmax": -np.inf, "fmin": np.inf}


def fold_axes(reduce: str, x: np.ndarray, axes: tuple[int, ...]) -> np.ndarray | None:
    """Reduces `x` by "add", "multiply", "fmax" or "fmin" over adjacent axes before the last; None if unsupported."""
    first, stop = axes[0], axes[-1] + 1
    suits = stop < x.ndim and stop - first == len(axes)
    min_blocks = 1 if reduce in _BLOCK_INVARIANT_OPS else _MIN_ELEMENTS
    if not suits or x.size < min_blocks or x.dtype not in FLOATS or not is_contiguous(x):
        return None
    kernel = function(f"fold_{reduce}_{SUFFIXES[x.dtype]}")
    if kernel is None:
        return None
    result = np.empty(x.shape[:first] + x.shape[stop:], x.dtype)
    parts = x.shape[:first], x.shape[first:stop], x.shape[stop:]
    outer, rows, columns = map(math.prod, parts)
    threads, start = _threads(x), _STARTS[reduce]
    blocks = min(threads, rows // _BLOCK) if outer == 1 and reduce in _BLOCK_INVARIANT_OPS else 1
    if blocks <= 1:
        kernel(x, result, outer, rows, columns, threads, start)
        return result
    share, remainder = divmod(rows, blocks)
    partial = np.empty((blocks + 1, columns), x.dtype)
    kernel(x, partial, blocks, share, columns, threads, start)
    last = address(x) + blocks * share * columns * x.itemsize
    kernel(last, partial[blocks:], 1, remainder, columns, 1, start)
    kernel(partial, result, 1, blocks + 1, columns, 1, start)
    return result


def reducer_of_shape(
    reduce: str, dtype: np.dtype, dims: tuple[int, ...], axes: tuple[int, ...]
) -> Callable[[np.ndarray], np.ndarray | None] | None:
    """Returns `extremes` or `fold_axes` by "fmax" or "fmin", specialized to small arrays of this shape and these axes.

    The function returns None for arrays of other shapes and for non-contiguous arrays.
    """
    first, stop = axes[0], axes[-1] + 1
    is_last = stop == len(dims)
    kernel = function(
        f"{reduce}_rows_{SUFFIXES[dtype]}" if is_last else f"fold_{reduce}_{SUFFIXES[dtype]}"
    )
    if kernel is None or stop - first != len(axes):
        return None
    parts = dims[:first], dims[first:stop], dims[stop:]
    outer, rows, columns = map(math.prod, parts)
    sizes = (outer, rows) if is_last else (outer, rows, columns)
    shape, start = dims[:first] + dims[stop:], _STARTS[reduce]

    def reduce_rows(x: np.ndarray) -> np.ndarray | None:
        if x.shape != dims or not is_contiguous(x):
            return None
        result = np.empty(shape, dtype)
        kernel(x, result, *sizes, 1, start)
        return result

    return reduce_rows


def take_rows(table: np.ndarray, ids: np.ndarray) -> np.ndarray | None:
    """Returns `table[ids]`; None if NumPy must gather the rows, or an id is out of range."""
    size, dtype = table.nbytes, table.dtype
    if not size or dtype.hasobject or not is_contiguous(ids) or not is_contiguous(table):
        return None
    kernel = _kernel_taking(ids.dtype)
    if kernel is None:
        return None
    shape = table.shape
    result = np.empty(ids.shape + shape[1:], dtype)
    threads = thread_count() if result.nbytes >= _MIN_PARALLEL_GATHER_BYTES else 1
    in_range = kernel(table, ids, result, ids.size, shape[0], size // shape[0], threads)
    return result if in_range else None


@cache
def _kernel_taking(ids: np.dtype) -> Any:
    return function(f"take_rows_{SUFFIXES[ids]}") if ids in IDS else None


def row_taker(
    dtype: np.dtype, ids: np.dtype
) -> Callable[[np.ndarray, np.ndarray], np.ndarray | None] | None:
    """Returns `take_rows` specialized to arrays (not scalars) of these dtypes; None if NumPy must always gather."""
    kernel = None if dtype.hasobject else _kernel_taking(ids)
    if kernel is None:
        return None

    def take(table: np.ndarray, ids: np.ndarray) -> np.ndarray | None:
        size = table.nbytes
        if not size or table.flags.num & ids.flags.num & CONTIGUOUS != CONTIGUOUS:
            return None
        rows, *row_shape = table.shape
        result = np.empty((*ids.shape, *row_shape), dtype)
        threads = thread_count() if result.nbytes >= _MIN_PARALLEL_GATHER_BYTES else 1
        return result if kernel(table, ids, result, ids.size, rows, size // rows, threads) else None

    return take


@cache
def _kernel_checking(ids: np.dtype) -> Any:
    return function(f"are_inside_{SUFFIXES[ids]}") if ids in IDS else None


def are_inside(ids: np.ndarray, limit: int) -> bool | None:
    """Whether all ids are at least 0 and below `limit`; None if NumPy must compare them."""
    kernel = _kernel_checking(ids.dtype)
    if kernel is None or not is_contiguous(ids):
        return None
    return bool(kernel(ids, ids.size, limit))


def partition_rows(
    rows: np.ndarray, ids: np.ndarray, parts: int
) -> tuple[np.ndarray, np.ndarray] | None:
    """Returns the rows sorted stably by their int32 part ids, and the number of rows in each part; None if NumPy must
    sort them, or an id is out of range.
    """
    if not rows.size or rows.dtype.hasobject or ids.dtype != np.int32:
        return None
    kernel = function("partition_rows")
    if kernel is None or not is_contiguous(rows) or not is_contiguous(ids):
        return None
    result, sizes = np.empty(rows.shape, rows.dtype), np.empty(parts, np.int64)
    count = ids.size
    if not kernel(rows, ids, result, sizes, count, parts, rows.nbytes // count):
        return None
    return result, sizes


def stitch(
    ids: Sequence[np.ndarray], rows: Sequence[np.ndarray], row_shape: tuple[int, ...]
) -> np.ndarray | None:
    """Returns the rows of all parts at their int32 ids, in order, and zeros elsewhere; None if NumPy must merge them,
    as for negative ids and results that are mostly zeros.
    """
    dtype = rows[0].dtype
    size_of, merge = function("stitched_size"), function("stitch")
    if size_of is None or merge is None or dtype.hasobject:
        return None
    table: list[int] = []
    for numbers, part in zip(ids, rows):
        if not is_contiguous(numbers) or not is_contiguous(part) or numbers.dtype != np.int32:
            return None
        table += address(numbers), address(part), numbers.size
    parts = struct.pack(f"{len(table)}q", *table)
    size = size_of(parts, len(ids))
    if not 0 <= size <= _MAX_STITCHED_RATIO * max(1, sum(table[2::3])):
        return None
    result = np.empty((size, *row_shape), dtype)
    merge(parts, len(ids), result, size, dtype.itemsize * math.prod(row_shape))
    return result


def set_rows(array: np.ndarray, ids: np.ndarray, rows: np.ndarray) -> bool:
    """Sets `array[ids[i]] = rows[i]` in the order of i, both contiguous and of one dtype; skips ids out of range.

    Returns False, changing nothing, if NumPy must do it.
    """
    if (
        rows.size < _MIN_ELEMENTS
        or ids.dtype not in IDS
        or not _are_matching_rows(array, ids, rows)
    ):
        return False
    if not is_contiguous(array) or not is_contiguous(rows):
        return False
    set_in_order = function(f"set_rows_{SUFFIXES[ids.dtype]}")
    if set_in_order is None:
        return False
    width = rows.nbytes // len(ids)
    if len(ids) < len(array) or rows.nbytes < _MIN_SORTED_BYTES:
        set_in_order(rows, ids, array, len(ids), len(array), width)
        return True
    # Ids certainly repeat or cover all positions: each position is written once, in order.
    last = np.full(len(array), -1)
    find = function(f"last_rows_{SUFFIXES[ids.dtype]}")
    copy: Any = function("copy_rows")
    find(ids, last, len(ids), len(array))  # type: ignore[misc]
    args = rows, last, array
    copy(*args, len(array), width, _threads(array))
    return True


def add_rows(array: np.ndarray, ids: np.ndarray, rows: np.ndarray, subtracts: bool = False) -> bool:
    """Adds `rows[i]` to `array[ids[i]]`, or subtracts it, in the order of i.

    Ids out of range are skipped. Returns False, changing nothing, if NumPy must do it.
    """
    if rows.dtype != array.dtype or rows.shape[1:] != array.shape[1:] or not is_contiguous(array):
        return False
    kernel = _scatter_add_kernel(rows, ids)
    if kernel is None:
        return False
    columns = rows.size // len(ids)
    args = rows, ids, array
    kernel(*args, len(ids), columns, len(array), _threads(rows), subtracts)
    return True


def sum_rows(rows: np.ndarray, ids: np.ndarray, count: int) -> np.ndarray | None:
    """Returns a [count, ...] array whose row i sums the rows with id i, in order; None if NumPy must compute it."""
    kernel = _scatter_add_kernel(rows, ids)
    if kernel is None:
        return None
    result = np.zeros((count, *rows.shape[1:]), rows.dtype)
    columns = rows.size // len(ids)
    kernel(rows, ids, result, len(ids), columns, count, _threads(rows), False)
    return result


def _are_matching_rows(array: np.ndarray, ids: np.ndarray, rows: np.ndarray) -> bool:
    """Whether `rows` contains one row of the array's row shape per id, and `ids` is a contiguous vector."""
    fits = rows.shape[1:] == array.shape[1:] and ids.shape == rows.shape[:1]
    return fits and is_contiguous(ids)


def _scatter_add_kernel(rows: np.ndarray, ids: np.ndarray) -> Any:
    """Returns the kernel that adds rows by ids of these types; None if NumPy must add them."""
    if not rows.size:
        return None
    if ids.shape != rows.shape[:1] or not (is_contiguous(rows) and is_contiguous(ids)):
        return None
    return _kernel_adding(ids.dtype, rows.dtype)


@cache
def _kernel_adding(ids: np.dtype, rows: np.dtype) -> Any:
    if ids not in IDS or rows not in SUFFIXES:
        return None
    return function(f"add_rows_{SUFFIXES[ids]}_{SUFFIXES[rows]}")


def _threads(elements: np.ndarray) -> int:
    return thread_count() if elements.size >= _MIN_PARALLEL_ELEMENTS else 1
