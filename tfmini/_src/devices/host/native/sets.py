"""Set operations on integers, where each row along the last axis is a set."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.devices.host.native.library import IDS, SUFFIXES, function, is_contiguous

_MAX_SETS = 1 << 16  # maximum number of sets; the kernel visits empty ones too
_MAX_AXES = 8
_OPERATIONS = {"a-b": 0, "b-a": 1, "intersection": 2, "union": 3}

# Values, their int64 points in the case of a sparse tensor, and the shape.
Operand = tuple[np.ndarray, np.ndarray | None, tuple[int, ...]]


def _kernel_for_dtype(name: str, dtype: np.dtype) -> Any:
    return function(f"{name}_{SUFFIXES[dtype]}") if dtype in IDS else None


def _set_count(operand: Operand) -> int:
    """Returns the number of sets in an operand; 0 if NumPy must process it."""
    values, points, shape = operand
    if not 2 <= len(shape) <= _MAX_AXES or min(shape) < 0 or not is_contiguous(values):
        return 0
    if points is not None and (
        points.shape != (values.size, len(shape))
        or values.ndim != 1
        or points.dtype != np.int64
        or not is_contiguous(points)
    ):
        return 0
    count = math.prod(shape[:-1])
    return count if count <= _MAX_SETS else 0


def combine_sets(
    operation: str, a: Operand, b: Operand
) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Returns indices, values and shape of pairwise set operations; None if left to NumPy or an operand is invalid."""
    (values, points, shape), (other_values, other_points, other_shape) = a, b
    code = _OPERATIONS.get(operation.lower())
    kernel = _kernel_for_dtype("combine_sets", values.dtype)
    if kernel is None or code is None or other_values.dtype != values.dtype:
        return None
    groups, rank = _set_count(a), len(shape)
    if not groups or shape[:-1] != other_shape[:-1] or not _set_count(b):
        return None
    count, other_count = values.size, other_values.size
    max_count = (count, other_count, min(count, other_count), count + other_count)[code]
    keys = np.empty(count + other_count, values.dtype)
    results, indices = np.empty(max_count, values.dtype), np.empty((max_count, rank), np.int64)
    sizes = np.array((*shape[:-1], 0), np.int64)
    operands = values, points, count, shape[-1], other_values, other_points, other_count
    args = sizes, rank, groups, code
    total = kernel(*operands, other_shape[-1], *args, keys, results, indices)
    if total < 0:
        return None
    return (
        (indices, results, sizes)
        if total == max_count
        else (indices[:total].copy(), results[:total].copy(), sizes)
    )


def set_sizes(sets: Operand) -> np.ndarray | None:
    """Returns the int32 number of distinct elements in each set; None if left to NumPy or the operand is invalid."""
    values, points, shape = sets
    kernel, groups = _kernel_for_dtype("set_sizes", values.dtype), _set_count(sets)
    if kernel is None or not groups:
        return None
    keys, result = np.empty(values.size, values.dtype), np.empty(shape[:-1], np.int32)
    sizes = np.array(shape, np.int64)
    args = values, points, values.size, shape[-1], sizes, len(shape), groups
    return result if kernel(*args, keys, result) else None
