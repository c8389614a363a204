"""Grayscale dilation of arrays [batch, rows, columns, depth] by filters [rows, columns, depth].

If the index of the largest sum matters, the sums of a window are scanned in order, and the first of equal sums wins.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.host.native import dilation
from tfmini._src.devices.numpy.windows.axes import Axis


def dilate(xp: ArrayModule, x: Array, filter: Array, rows: Axis, columns: Axis) -> Array:
    """Returns the largest sum of input and filter elements in each window; the lowest number if all are NaN."""
    best = dilation.dilate(x, filter, rows, columns) if xp is np else None
    return _largest_sums(xp, x, filter, rows, columns)[0] if best is None else best


def input_gradient(
    xp: ArrayModule, x: Array, filter: Array, grad: Array, rows: Axis, columns: Axis
) -> Array:
    """Returns the input's gradient: each window's gradient is added at the element of its largest sum."""
    computed = dilation.input_gradient(x, filter, grad, rows, columns) if xp is np else None
    if computed is not None:
        return computed
    _, indices = _largest_sums(xp, x, filter, rows, columns)
    result = xp.zeros(x.shape, grad.dtype)
    zero = grad.dtype.type(0)
    for index, _, windows, elements in _offsets(rows, columns):
        result[elements] += xp.where(indices[windows] == index, grad[windows], zero)
    if xp is np:
        _add_invalid(indices, grad, rows, columns, result)
    return result


def _add_invalid(indices: Any, grad: Array, rows: Axis, columns: Axis, result: Array) -> None:
    """Adds the gradients of windows without a valid sum to their first elements, as TensorFlow does."""
    lost_indices = np.nonzero(indices < 0)
    if len(lost_indices[0]):
        starts = [
            np.clip(position * axis.stride - axis.before, 0, axis.size - 1)
            for position, axis in zip(lost_indices[1:3], (rows, columns))
        ]
        np.add.at(result, (lost_indices[0], *starts, lost_indices[3]), grad[lost_indices])


def filter_gradient(
    xp: ArrayModule, x: Array, filter: Array, grad: Array, rows: Axis, columns: Axis
) -> Array:
    """Returns the filter's gradient: each window's gradient is added at the filter element of its largest sum."""
    computed = dilation.filter_gradient(x, filter, grad, rows, columns) if xp is np else None
    if computed is not None:
        return computed
    _, indices = _largest_sums(xp, x, filter, rows, columns)
    result = xp.zeros(filter.shape, grad.dtype)
    zero = grad.dtype.type(0)
    for index, filter_position, windows, _ in _offsets(rows, columns):
        part = xp.where(indices[windows] == index, grad[windows], zero)
        result[filter_position] = part.sum((0, 1, 2), dtype=grad.dtype)
    if filter.size:
        result[0, 0] += xp.where(indices < 0, grad, zero).sum((0, 1, 2), dtype=grad.dtype)
    return result


def _largest_sums(
    xp: ArrayModule, x: Array, filter: Array, rows: Axis, columns: Axis
) -> tuple[Array, Array]:
    """Returns the largest sum of each window, and the index of its filter element; -1 for an empty window."""
    shape = (len(x), rows.count, columns.count, x.shape[3])
    info = np.iinfo if x.dtype.kind in "iu" else ml_dtypes.finfo
    best = xp.full(shape, info(x.dtype).min, x.dtype)
    indices = xp.full(shape, -1, np.int32)
    for index, filter_position, windows, elements in _offsets(rows, columns):
        sums = x[elements] + filter[filter_position]
        is_better = sums > best[windows]
        xp.copyto(best[windows], sums, where=is_better)
        xp.copyto(indices[windows], np.int32(index), where=is_better)
    return best, indices


_Slices = tuple[slice, ...]


def _offsets(rows: Axis, columns: Axis) -> Iterator[tuple[int, tuple[int, int], _Slices, _Slices]]:
    """Yields (number, filter position, windows, elements) for each filter element, in order."""
    full_slice = slice(None)
    positions = itertools.product(range(rows.kernel), range(columns.kernel))
    for index, (i, j) in enumerate(positions):
        row_overlap, column_overlap = rows.overlap(i), columns.overlap(j)
        yield (
            index,
            (i, j),
            (full_slice, row_overlap[0], column_overlap[0]),
            (full_slice, row_overlap[1], column_overlap[1]),
        )
