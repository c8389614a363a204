"""The largest or smallest elements along axes, computed by the methods that are fastest on the CPU.

NumPy needs 30 ns per reduced row, however short, so narrow matrices are transposed or folded.
`reduce` is fmax, fmin, maximum or minimum, and `limit` its result for empty input.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native import rows as native
from tfmini._src.devices.host.threads import run_slices

# Rows up to this length are reduced along the columns of the transposed matrix.
_MAX_NARROW_COLUMNS = 16
_FOUR = 4  # rows of at least this length are reduced natively
# With fewer elements in longer rows, searching for a better form does not pay off.
_MIN_REARRANGED_ELEMENTS = 1 << 15
# Shorter rows are folded to about this length when reducing columns, unless there are few.
_FOLDED_COLUMNS = 1024
_MIN_FOLDED_ROWS = 192
_MIN_FORM_ELEMENTS = 1 << 8  # minimum elements; for fewer, a single NumPy call is fastest
# Minimum elements for threads, and elements that the calling thread computes before another wakes up.
_MIN_PARALLEL_ELEMENTS = 1 << 20
_HEAD_START = 1 << 18
# Reductions that are native unless over the last axis; over the first from the second number of elements.
_FOLDED_UFUNCS, _MIN_NATIVE_ELEMENTS = (np.fmax, np.fmin), 1 << 18


def reduce_axes(
    reduce: np.ufunc, x: np.ndarray, axes: tuple[int, ...], keep_dims: bool, limit: Any
) -> Array:
    """Reduces `x` over the sorted `axes`."""
    if x.size < _MIN_FORM_ELEMENTS:
        output = _small(reduce, x, axes, keep_dims, limit) if reduce in _FOLDED_UFUNCS else None
        if output is not None:
            return output
        return reduce.reduce(x, axis=axes, keepdims=keep_dims, initial=limit)
    count = len(axes)
    leading = 0 < count < x.ndim and axes[-1] == count - 1
    has_wide_rows = x.shape[-1] > _MAX_NARROW_COLUMNS and x.size < _MIN_REARRANGED_ELEMENTS
    plain = not axes or axes[0] == 0 and not leading or has_wide_rows
    if plain or not x.size or not x.flags.c_contiguous:
        return reduce.reduce(x, axis=axes, keepdims=keep_dims, initial=limit)
    selected = tuple(d for axis, d in enumerate(x.shape) if axis not in axes)
    if leading:
        result = column_extremes(reduce, x.reshape(-1, math.prod(selected)), limit)
    elif axes[0] == x.ndim - count:
        result = row_extremes(reduce, x.reshape(math.prod(selected), -1), limit)
    else:
        output = _fold_natively(reduce, x, axes)
        result = _middle_extremes(reduce, x, axes, selected, limit) if output is None else output
    if keep_dims:
        selected = tuple(1 if axis in axes else d for axis, d in enumerate(x.shape))
    return result.reshape(selected)


def _small(
    reduce: np.ufunc, x: np.ndarray, axes: tuple[int, ...], keep_dims: bool, limit: Any
) -> Array | None:
    """Reduces a small `x` over its last axis or inner axes in one call; returns None if NumPy must reduce it."""
    if keep_dims or not axes or not x.size:
        return None
    if axes[-1] < x.ndim - 1:
        return _fold_natively(reduce, x, axes)
    if len(axes) > 1 or x.ndim < 2:
        return None
    matrix = x if x.ndim == 2 else x.reshape(-1, x.shape[-1])
    result = native.extremes(reduce.__name__, matrix, limit)
    return result if result is None or x.ndim == 2 else result.reshape(x.shape[:-1])


def column_extremes(reduce: np.ufunc, matrix: np.ndarray, limit: Any) -> np.ndarray:
    """Returns the extreme of each column."""
    rows, columns = matrix.shape
    fold = _FOLDED_COLUMNS // columns
    if fold > 1 and rows >= max(2 * fold, _MIN_FOLDED_ROWS):
        full = rows // fold * fold
        folded = _wide_column_extremes(reduce, matrix[:full].reshape(-1, fold * columns), limit)
        matrix = np.concatenate([folded.reshape(fold, columns), matrix[full:]])
        return reduce.reduce(matrix, axis=0, initial=limit)
    return _wide_column_extremes(reduce, matrix, limit)


def _wide_column_extremes(reduce: np.ufunc, matrix: np.ndarray, limit: Any) -> np.ndarray:
    result = _fold_natively(reduce, matrix, (0,)) if matrix.size >= _MIN_NATIVE_ELEMENTS else None
    return reduce.reduce(matrix, axis=0, initial=limit) if result is None else result


def _fold_natively(reduce: np.ufunc, x: np.ndarray, axes: tuple[int, ...]) -> np.ndarray | None:
    return native.fold_axes(reduce.__name__, x, axes) if reduce in _FOLDED_UFUNCS else None


def row_extremes(reduce: np.ufunc, matrix: np.ndarray, limit: Any) -> np.ndarray:
    """Returns the extreme of each row."""
    rows, columns = matrix.shape
    output = native.extremes(reduce.__name__, matrix, limit) if columns >= _FOUR else None
    if output is not None:
        return output
    if columns <= _MAX_NARROW_COLUMNS:
        return reduce.reduce(np.ascontiguousarray(matrix.T), axis=0, initial=limit)
    if matrix.size < _MIN_REARRANGED_ELEMENTS or not matrix.flags.c_contiguous:
        return reduce.reduce(matrix, axis=1, initial=limit)
    result = np.empty(rows, matrix.dtype)
    flat, starts = matrix.reshape(-1), np.arange(0, matrix.size, columns)

    def work(part: slice) -> None:  # reduceat has the least overhead per row
        span = slice(part.start * columns, part.stop * columns)
        reduce.reduceat(flat[span], starts[: part.stop - part.start], out=result[part])

    _run_on_threads(work, rows, matrix.size)
    return reduce(result, limit, out=result)


def _middle_extremes(
    reduce: np.ufunc, x: np.ndarray, axes: tuple[int, ...], shape: tuple[int, ...], limit: Any
) -> np.ndarray:
    """Returns the extremes over axes other than the first."""
    result = np.empty(shape, x.dtype)

    def work(part: slice) -> None:
        reduce.reduce(x[part], axis=axes, initial=limit, out=result[part])

    _run_on_threads(work, len(x), x.size)
    return result


def _run_on_threads(work: Callable[[slice], None], rows: int, elements: int) -> None:
    """Calls `work` on slices of the rows, on several threads if the rows have many elements."""
    if elements < _MIN_PARALLEL_ELEMENTS:
        work(slice(0, rows))
    else:
        run_slices(work, rows, _HEAD_START * rows // elements)
