"""Argmax and argmin along an axis, the top k of rows, and membership of a target in the top k."""

from __future__ import annotations

import math

import numpy as np

from tfmini._src.devices.host.native.library import (
    IDS,
    SUFFIXES,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

_MIN_ELEMENTS = 1 << 10  # minimum elements to compare with a target; for fewer, NumPy is faster
_MIN_PARALLEL_ELEMENTS = 1 << 17


def argmax(x: np.ndarray, axis: int, largest: bool) -> np.ndarray | None:
    """Returns int64 indices of the first largest (or smallest) element along an axis, ignoring NaN; 0 if all are NaN.

    Returns None if NumPy must compute it.
    """
    if not x.size or x.dtype not in SUFFIXES or not is_contiguous(x):
        return None
    axis %= x.ndim
    shape = x.shape[:axis] + x.shape[axis + 1 :]
    *sizes, inner = math.prod(x.shape[:axis]), x.shape[axis], math.prod(x.shape[axis + 1 :])
    which = f"{'argmax' if largest else 'argmin'}_{'rows' if inner == 1 else 'columns'}"
    if inner > 1:
        sizes.append(inner)
    kernel = function(f"{which}_{SUFFIXES[x.dtype]}")
    if kernel is None:
        return None
    result = np.empty(shape, np.int64)
    kernel(x, result, *sizes, _threads(x))
    return result


def largest(matrix: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Returns the k largest elements of each row, with ties in index order, and their int32 indices.

    Returns None if NumPy must compute it: for NaN, float64, and integers of which some need more than 32 bits.
    """
    if matrix.dtype.kind in "iu" and matrix.dtype != np.int32 or matrix.dtype == np.float16:
        converted = matrix.astype(np.float32 if matrix.dtype.kind == "f" else np.int32)
        result = largest(converted, k) if (converted == matrix).all() else None
        return None if result is None else (result[0].astype(matrix.dtype), result[1])
    supported = matrix.dtype in (np.float32, np.int32) and 0 < k <= matrix.shape[1] < 1 << 31
    if not (supported and is_contiguous(matrix)):
        return None
    name = f"top_places_{SUFFIXES[matrix.dtype]}"
    kernel = function(name)
    if kernel is None:
        return None
    values, indices = (np.empty((len(matrix), k), dtype) for dtype in (matrix.dtype, np.int32))
    arrays = matrix, values, indices
    return (values, indices) if kernel(*arrays, *matrix.shape, k, _threads(matrix)) else None


def in_top(matrix: np.ndarray, targets: np.ndarray, k: int) -> np.ndarray | None:
    """Returns whether each row is finite and has fewer than `k` elements greater than its target; False for targets out
    of range.

    Returns None if NumPy must compute it.
    """
    supported = matrix.dtype == np.float32 and targets.dtype in IDS
    if matrix.size < _MIN_ELEMENTS or not (
        supported and is_contiguous(matrix) and is_contiguous(targets)
    ):
        return None
    if targets.shape != matrix.shape[:1]:
        return None
    name = f"in_top_{SUFFIXES[targets.dtype]}"
    kernel = function(name)
    if kernel is None:
        return None
    result = np.empty(len(matrix), bool)
    args = matrix, targets, result
    kernel(*args, *matrix.shape, k, _threads(matrix))
    return result


def _threads(matrix: np.ndarray) -> int:
    return thread_count() if matrix.size >= _MIN_PARALLEL_ELEMENTS else 1
