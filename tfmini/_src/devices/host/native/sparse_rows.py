"""Sparse tensor operations: unique integers, filling of empty rows, segment sums, reshaping of coordinates."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from tfmini._src.devices.host.native.library import (
    CONTIGUOUS,
    FLOATS,
    IDS,
    SUFFIXES,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import run_parts, thread_count

Kernel: TypeAlias = Callable[..., int]
_MIN_PARALLEL_ELEMENTS = 1 << 18
_MAX_GRADIENT_PRODUCTS = (
    1 << 20
)  # maximum product of selected and gradient elements; above, a sparse product may be faster
_MAX_TABLE_SIZE = 4096  # maximum elements or rows; tables for more exceed their share of the stack


@cache
def _distinct_kernel(keys: np.dtype, indices: np.dtype) -> Any:
    if keys not in IDS or indices not in IDS:
        return None
    return function(f"distinct_{SUFFIXES[keys]}_{SUFFIXES[indices]}")


def distinct(x: np.ndarray, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray] | None:
    """Returns the distinct integers of a vector in order of first occurrence, and the index of each element among them,
    in `dtype`; None if NumPy must compute them.
    """
    count = x.size
    if count > _MAX_TABLE_SIZE or not is_contiguous(x):
        return None
    kernel = _distinct_kernel(x.dtype, dtype)
    if kernel is None:
        return None
    values, indices = np.empty(count, x.dtype), np.empty(count, dtype)
    size = kernel(x, count, values, indices)
    return (values if size == count else values[:size].copy()), indices


@cache
def _sums_kernel(indices: np.dtype, rows: np.dtype) -> Any:
    if indices not in IDS or rows not in FLOATS:
        return None
    return function(f"segment_sums_{SUFFIXES[indices]}_{SUFFIXES[rows]}")


def segment_sums(
    rows: np.ndarray, indices: np.ndarray, ids: np.ndarray, count: int | None, scale: int
) -> np.ndarray | None:
    """Returns [count, ...]: for each of the ascending int32 ids, the sum of the rows selected for it.

    `count` is by default the last id plus one; `scale` 1 divides each sum by its number of terms, 2 by the square root.
    Returns None if NumPy must compute it, or an index or id is out of range.
    """
    size = ids.size
    if not size or ids.dtype != np.int32 or ids.shape != indices.shape or ids.ndim != 1:
        return None
    kernel = _sums_kernel(indices.dtype, rows.dtype)
    if kernel is None or not rows.size:
        return None
    if not (is_contiguous(rows) and is_contiguous(indices) and is_contiguous(ids)):
        return None
    last = ids.item(size - 1)
    if count is None:
        count = last + 1
    if not 0 <= last < count:
        return None
    shape = rows.shape
    result = np.empty((count, *shape[1:]), rows.dtype)
    columns = rows.size // shape[0]
    if size * columns < _MIN_PARALLEL_ELEMENTS:
        in_range = kernel(rows, shape[0], columns, indices, ids, size, result, count, scale)
        return result if in_range else None
    starts = _starts(ids, thread_count())
    firsts = [0, *(ids.item(start) for start in starts[1:]), count]
    bounds = [*starts, size]
    all_inside = [0] * len(starts)

    def work(part: int) -> None:
        span, selected = (
            slice(bounds[part], bounds[part + 1]),
            slice(firsts[part], firsts[part + 1]),
        )
        own_ids, sums = ids[span] - ids.dtype.type(firsts[part]), result[selected]
        sizes = len(own_ids), sums, len(sums), scale
        all_inside[part] = kernel(rows, shape[0], columns, indices[span], own_ids, *sizes)

    run_parts(work, len(starts))
    return result if all(all_inside) else None


def _starts(ids: np.ndarray, parts: int) -> list[int]:
    """Returns the start positions of parts of ascending ids; no id spans two parts."""
    size = ids.size
    starts = {int(ids.searchsorted(ids[size * part // parts])) for part in range(1, parts)}
    return [0, *sorted(start for start in starts if 0 < start < size)]


@cache
def _filling_kernels() -> tuple[Kernel | None, Kernel | None]:
    return function("find_empty_rows"), function("fill_empty_rows")


def fill_empty_rows(
    points: np.ndarray, values: np.ndarray, rows: int, default: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
    """Adds a point to each empty row of a sparse array.

    Returns int64 points [count, rank], their values, whether each row was empty, and the new index of each point; None
    if NumPy must compute them, or a point is out of range.
    """
    count, rank = points.shape
    default = np.asarray(default)
    dtype = values.dtype
    if max(rows, count) > _MAX_TABLE_SIZE or dtype.hasobject or default.dtype != dtype or not rank:
        return None
    find, fill = _filling_kernels()
    if find is None or fill is None or points.dtype != np.int64:
        return None
    if points.flags.num & values.flags.num & CONTIGUOUS != CONTIGUOUS:
        return None
    empty, positions = np.empty(rows, np.bool_), np.empty(count, np.int64)
    added_count = find(points, count, rank, rows, empty, positions)
    if added_count < 0:
        return None
    total = count + added_count
    all_points, all_values = np.empty((total, rank), np.int64), np.empty(total, values.dtype)
    args = points, values, default, positions, empty, all_points, all_values
    in_range = fill(*args, count, total, rank, rows, values.itemsize)
    return (all_points, all_values, empty, positions) if in_range else None


def reshape_points(points: np.ndarray, sizes: np.ndarray, target: np.ndarray) -> np.ndarray | None:
    """Converts int64 points [count, rank] in a tensor of these sizes to coordinates in a tensor of sizes `target`, both
    int64 and positive; None if NumPy must compute them.
    """
    kernel = function("reshape_points")
    if kernel is None or not (is_contiguous(points) and is_contiguous(sizes)):
        return None
    count, rank = points.shape
    if points.dtype != np.int64 or sizes.dtype != np.int64 or sizes.size != rank:
        return None
    result = np.empty((count, target.size), np.int64)
    kernel(points, count, sizes, rank, target, target.size, result)
    return result


def segment_gradients(
    grad: np.ndarray, indices: np.ndarray, ids: np.ndarray, rows: int, scale: int
) -> np.ndarray | None:
    """Returns the gradient [rows, ...] of the rows that `segment_sums` adds and scales; None if NumPy must compute it,
    or an index or id is out of range.
    """
    if ids.dtype != np.int32 or not grad.size or ids.size * grad.size >= _MAX_GRADIENT_PRODUCTS:
        return None
    if indices.dtype not in IDS or grad.dtype not in FLOATS:
        return None
    kernel = function(f"segment_gradients_{SUFFIXES[indices.dtype]}_{SUFFIXES[grad.dtype]}")
    if kernel is None or not (
        is_contiguous(grad) and is_contiguous(indices) and is_contiguous(ids)
    ):
        return None
    segments, *row_shape = grad.shape
    result = np.empty((rows, *row_shape), grad.dtype)
    columns = grad.size // segments
    sizes = ids.size, result, rows, scale
    return result if kernel(grad, segments, columns, indices, ids, *sizes) else None


def sparse_add_gradients(
    grad: np.ndarray, a: np.ndarray, b: np.ndarray, total: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """Splits the gradient of a sparse sum among its operands, by int64 points; None if NumPy must merge them."""
    kernel = function("sparse_add_gradients")
    arrays = grad, a, b, total
    if kernel is None or grad.dtype.hasobject or not all(map(is_contiguous, arrays)):
        return None
    results = np.empty(len(a), grad.dtype), np.empty(len(b), grad.dtype)
    kernel(*arrays, len(a), len(b), len(total), total.shape[1], *results, grad.itemsize)
    return results


def points_increase(points: np.ndarray, sizes: Sequence[int]) -> bool | None:
    """Whether int64 points [count, rank] are within these sizes and strictly increasing; None if NumPy must compare."""
    kernel = function("points_increase")
    count, rank = points.shape
    if (
        kernel is None
        or points.dtype != np.int64
        or not is_contiguous(points)
        or rank != len(sizes)
    ):
        return None
    return bool(kernel(points, count, rank, struct.pack(f"{rank}q", *sizes)))


def combine_fingerprints(a: np.ndarray, b: np.ndarray) -> np.ndarray | None:
    """Returns the combined fingerprints of two vectors of uint64 fingerprints; None if NumPy must combine them."""
    kernel = function("combine_fingerprints")
    if kernel is None or not (is_contiguous(a) and is_contiguous(b)) or a.shape != b.shape:
        return None
    if not a.dtype == b.dtype == np.uint64:
        return None
    result = np.empty(a.shape, np.uint64)
    kernel(a, b, result, a.size)
    return result
