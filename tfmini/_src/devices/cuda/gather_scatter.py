"""Bitwise deterministic gather, one-hot, scatter and segment sums on a GPU."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import ArrayModule
from tfmini._src.devices.cuda.argsort import stable_order
from tfmini._src.devices.cuda.launch import (
    INDEX_TYPES,
    NUMBERS,
    Array,
    as_contiguous,
    per_element,
    run,
    widest,
)

_MAX_WARP_COLUMNS = 16  # length of the longest rows that one warp per position sums
_SPLITTABLE_OPS = ("add", "subtract", "multiply", "minimum", "maximum")
# Minimum updates that are combined in parts: in general, and for rows summed by a warp.
_MIN_UPDATES, _MIN_WARP_UPDATES = 1024, 1 << 14
_ONE_HOT_SUFFIXES = {**INDEX_TYPES, "uint8": "u8"}


def gather(
    xp: ArrayModule, params: Array, indices: Array, axis: int = 0, batch_dims: int = 0
) -> Array:
    """Returns the slices of `params` along an axis selected by `indices` (int32 or int64); 0 for indices out of range.
    The first `batch_dims` axes of both are batch axes.
    """
    params, indices = as_contiguous(xp, params), as_contiguous(xp, indices)
    shape = params.shape
    batches, outer, trailing = shape[:batch_dims], shape[batch_dims:axis], shape[axis + 1 :]
    result = xp.empty((*batches, *outer, *indices.shape[batch_dims:], *trailing), params.dtype)
    inner = math.prod(trailing)
    width = widest(inner * params.itemsize, params, result)
    inner = inner * params.itemsize // width
    size = result.nbytes // width
    sizes = (size, math.prod(outer), shape[axis], inner, math.prod(indices.shape[batch_dims:]))
    kernel = f"gather_{width}_{INDEX_TYPES[indices.dtype.name]}"
    per_element(xp, "gather", kernel, size, params, indices, result, *sizes)
    return result


def flat_row_indices(xp: ArrayModule, points: Array, sizes: tuple[int, ...]) -> Array:
    """Returns flattened row indices, int64 [...], of points [..., depth] on axes of these sizes; -1 if outside."""
    points = as_contiguous(xp, points)
    depth = len(sizes)
    count = math.prod(points.shape[:-1])
    positions = xp.empty(points.shape[:-1], np.int64)
    kernel = f"places_of_points_{INDEX_TYPES[points.dtype.name]}"
    padded = (*sizes, *[1] * (8 - depth))
    per_element(xp, "gather", kernel, count, points, positions, count, depth, *padded)
    return positions


def gather_nd(xp: ArrayModule, params: Array, points: Array) -> Array:
    """Returns the slices of `params` at the points [..., depth]; 0 for points outside."""
    depth = points.shape[-1]
    positions = flat_row_indices(xp, points, params.shape[:depth])
    rows = as_contiguous(xp, params).reshape(math.prod(params.shape[:depth]), *params.shape[depth:])
    return gather(xp, rows, positions)


def one_hot(
    xp: ArrayModule, indices: Array, depth: int, on: Array, off: Array, axis: int = -1
) -> Array:
    """Returns one-hot codes along a new axis; `on` and `off` are arrays of one element."""
    indices = as_contiguous(xp, indices)
    axis %= indices.ndim + 1
    result = xp.empty((*indices.shape[:axis], depth, *indices.shape[axis:]), on.dtype)
    sizes = (result.size, depth, math.prod(indices.shape[axis:]))
    kernel = f"one_hot_{on.itemsize}_{_ONE_HOT_SUFFIXES[indices.dtype.name]}"
    per_element(xp, "gather", kernel, result.size, indices, on, off, result, *sizes)
    return result


def scatters(dtype: np.dtype, operation: str) -> bool:
    """Whether `scatter` supports this operation for elements of this dtype."""
    dtype = np.dtype(dtype)
    if operation == "update" or dtype.name in NUMBERS or dtype == np.float16:
        return True
    return dtype.kind == "c" and operation in ("add", "subtract")


def scatter(
    xp: ArrayModule,
    operation: str,
    array: Array,
    indices: Array,
    updates: Array,
    ordered: bool = False,
) -> None:
    """Sets `array[indices[i]] = operation(array[indices[i]], updates[i])` for each i in turn, in place.

    Args:
      operation: "update", "add", "subtract", "multiply", "divide", "minimum" or "maximum".
      array: [extent, ...], contiguous, of a dtype that `scatters` accepts; float16 is computed in float32
        and rounded once.
      indices: int32 or int64 [count]; out-of-range indices are skipped.
      updates: [count, ...], or one element for all.
      ordered: whether the indices are sorted or unique.
    """
    if array.dtype == np.float16 and operation != "update":
        float32_array = array.astype(np.float32)
        scatter(xp, operation, float32_array, indices, updates.astype(np.float32), ordered)
        array[...] = float32_array
        return
    if array.dtype.kind == "c" and operation in ("add", "subtract"):
        if not updates.ndim:
            updates = xp.broadcast_to(updates, (indices.size, *array.shape[1:]))
        parts = np.dtype(f"f{array.itemsize // 2}")
        array, updates = (_real_pairs(xp, operand, parts) for operand in (array, updates))
    count, extent = indices.size, array.shape[0]
    inner = math.prod(array.shape[1:])
    if not count or not inner:
        return
    updates = as_contiguous(xp, updates)
    order: Any = np.uint64(0)  # null: in their original order
    if ordered:
        indices = as_contiguous(xp, indices.astype(np.int64, copy=False))
    else:
        indices, order = stable_order(xp, indices, extent)
    is_narrow = inner <= _MAX_WARP_COLUMNS
    min_updates = _MIN_WARP_UPDATES if is_narrow and operation == "add" else _MIN_UPDATES
    if operation in _SPLITTABLE_OPS and updates.ndim and count >= min_updates:
        _scatter_in_parts(xp, operation, array, indices, order, updates, count, extent, inner)
        return
    if operation == "add" and is_narrow and updates.ndim:
        grid, block = (min(-(-count // 8), 1 << 16),), (32, 8)
        kernel = f"scatter_sums_{NUMBERS[array.dtype.name]}"
        arrays = (array, indices, order, updates)
        run(xp, "scatter", kernel, grid, block, *arrays, count, extent, inner)
        return
    step = 1 if updates.ndim else 0
    if operation == "update":
        width = widest(inner * array.itemsize, array, updates) if step else array.itemsize
        inner = inner * array.itemsize // width
        kernel = f"scatter_update_{width}"
    else:
        kernel = f"scatter_{operation}_{NUMBERS[array.dtype.name]}"
    sizes = (step, count, extent, inner)
    per_element(xp, "scatter", kernel, count * inner, array, indices, order, updates, *sizes)


def _scatter_in_parts(
    xp: ArrayModule,
    operation: str,
    array: Array,
    positions: Array,
    order: Array,
    updates: Array,
    *sizes: int,
) -> None:
    """Applies many updates sorted by index, any number of which may share an index."""
    count, _, inner = sizes
    # Balances the size of a part and the number of parts.
    size = 1 << max(5, count.bit_length() // 2)
    parts = -(-count // size)
    heads, tails = (xp.empty((parts, inner), array.dtype) for _ in range(2))
    name = NUMBERS[array.dtype.name]
    sides = (heads, tails, *sizes, size)
    work = parts * inner
    per_element(
        xp,
        "scatter",
        f"{operation}_gather_parts_{name}",
        work,
        array,
        positions,
        order,
        updates,
        *sides,
    )
    per_element(xp, "scatter", f"{operation}_apply_parts_{name}", work, array, positions, *sides)


def _real_pairs(xp: ArrayModule, array: Array, dtype: np.dtype) -> Array:
    """Returns a view of complex numbers as pairs [..., 2] of real numbers."""
    array = as_contiguous(xp, array)
    return array.reshape(-1).view(dtype).reshape(*array.shape, 2)


def reduce_segments(
    xp: ArrayModule,
    operation: str,
    rows: Array,
    ids: Array,
    count: int,
    start: Any,
    ordered: bool = False,
) -> Array:
    """Reduces the rows with id i to row i of the result [count, ...], which is `start` for ids without rows.

    `operation` is "add", "multiply", "minimum" or "maximum"; `ordered` tells whether the ids are sorted.
    """
    result = xp.full((count, *rows.shape[1:]), start, rows.dtype)
    scatter(xp, operation, result, ids, rows, ordered)
    return result
