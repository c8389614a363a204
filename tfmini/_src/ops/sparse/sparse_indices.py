"""Functions that sparse ops share: conversion of operands, index order and checks.

An index is a row of `indices`, an int64 matrix; most ops require row-major order.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native import sparse_rows
from tfmini._src.graph.composite_values import SparseTensor, SparseTensorValue
from tfmini._src.ops.operands import row_count, shape_text

# The upper bound of index keys.
_MAX_KEY = 2**62


def as_sparse(value: Any) -> SparseTensor:
    """Converts `value` to a SparseTensor; raises TypeError if it is not convertible."""
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return value


def in_bounds(positions: Any, shape: Any) -> Any:
    """Returns, for each index, whether it is within a shape; goes axis by axis, which is faster than all at once."""
    result = None
    for column, size in zip(positions.T, shape.tolist()):
        is_inside = (column >= 0) & (column < size)
        result = is_inside if result is None else result & is_inside
    return positions[:, :0].all(axis=1) if result is None else result


def all_in_bounds(xp: Any, positions: Any, shape: Any) -> bool:
    """Whether all indices are within a shape."""
    if xp is np and _increase(positions, shape.tolist()):
        return True
    return bool(in_bounds(positions, shape).all())


def keys(xp: Any, *results: Any) -> list[Any]:
    """Returns sort keys for the indices in each matrix: equal for equal indices, ascending in row-major order."""
    count = sum(map(len, results))
    if not count or not results[0].shape[1]:
        return [xp.zeros(len(matrix), "i8") for matrix in results]
    lowest, extents = [], []
    for axis in range(results[0].shape[1]):
        columns = [matrix[:, axis] for matrix in results if len(matrix)]
        lowest.append(min(int(column.min()) for column in columns))
        extents.append(max(int(column.max()) for column in columns) - lowest[-1] + 1)
    if math.prod(extents) >= _MAX_KEY:
        sort_keys = xp.unique(xp.concatenate(results), axis=0, return_inverse=True)[1].reshape(-1)
        ends = [0, *itertools.accumulate(map(len, results))]
        return [sort_keys[start:end] for start, end in itertools.pairwise(ends)]
    result = []
    for matrix in results:
        sort_keys = matrix[:, 0] - lowest[0]
        for axis in range(1, matrix.shape[1]):
            sort_keys = sort_keys * extents[axis]
            sort_keys += matrix[:, axis]
            sort_keys -= lowest[axis]
        result.append(sort_keys)
    return result


def order(xp: Any, positions: Any) -> Any:
    """Returns the stable permutation that sorts indices in row-major order, or None if they are sorted."""
    rank = positions.shape[1]
    if isinstance(positions, np.ndarray) and rank:
        positions = np.ascontiguousarray(positions)  # for the kernel
        if _increase(positions, [1 << 60 // rank] * rank):
            return None
    (sort_keys,) = keys(xp, positions)
    if not (sort_keys[1:] < sort_keys[:-1]).any():
        return None
    return xp.argsort(sort_keys, kind="stable")


def _increase(positions: np.ndarray, sizes: list[int]) -> bool:
    """Whether indices are within a shape and strictly increasing; False also if their keys may overflow."""
    if not len(positions) or not sizes or math.prod(sizes) >= _MAX_KEY:
        return False
    is_increasing = sparse_rows.points_increase(positions, sizes)
    if is_increasing is not None:
        return is_increasing
    if np.minimum.reduce(positions, None) < 0 or (np.maximum.reduce(positions, 0) >= sizes).any():
        return False
    sort_keys = positions[:, 0]
    for axis in range(1, len(sizes)):
        sort_keys = sort_keys * sizes[axis] + positions[:, axis]
    return bool((sort_keys[1:] > sort_keys[:-1]).all())


def check_order(xp: Any, positions: Any, shape: Any, may_repeat: bool = False) -> None:
    """Raises InvalidArgumentError for the first index that is out of range, unsorted or repeated."""
    if xp is np and not may_repeat and _increase(positions, shape.tolist()):
        return
    is_outside = ~in_bounds(positions, shape)
    (sort_keys,) = keys(xp, positions)
    is_invalid = is_outside.copy()
    next_keys, previous_keys = sort_keys[1:], sort_keys[:-1]
    is_invalid[1:] |= next_keys < previous_keys if may_repeat else next_keys <= previous_keys
    if not is_invalid.any():
        return
    i = int(is_invalid.argmax())
    location = f"indices[{i}] = {shape_text(positions[i].tolist())}"
    if is_outside[i]:
        limits = shape_text(shape.tolist())
        invalid(f"{location} is out of bounds: need 0 <= index < {limits}")
    if sort_keys[i] == sort_keys[i - 1]:
        invalid(f"{location} is repeated")
    invalid(
        f"{location} is out of order. Many sparse ops require sorted indices.\n"
        "    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n"
    )


def check_sizes(positions: Any, values: Any, shape: Any) -> None:
    """Raises InvalidArgumentError unless there is one value per index and the index length equals the rank."""
    if row_count(positions) != row_count(values):
        invalid(
            "indices and values rows (indexing dimension) must match. "
            f"(indices = {row_count(positions)}, values = {row_count(values)})"
        )
    if positions.ndim != 2 or shape.ndim != 1 or positions.shape[1] != shape.size:
        invalid("Order length must be SparseTensor rank.")


def check_sparse(positions: Any, values: Any, shape: Any) -> None:
    """Raises InvalidArgumentError unless the parts form a sparse tensor, as in TensorFlow's C++ class."""
    if values.ndim != 1:
        invalid(f"vals must be a vec, but got: {shape_text(values.shape)}")
    if positions.ndim != 2 and positions.ndim and len(positions) == row_count(values):
        invalid(f"indices must be a matrix, but got: {shape_text(positions.shape)}")
    check_sizes(positions, values, shape)


def check_parts(positions: Any, values: Any, shape: Any) -> None:
    """Raises InvalidArgumentError unless the parts are a matrix and two vectors of matching sizes."""
    if positions.ndim != 2:
        invalid(
            f"Input indices should be a matrix but received shape {shape_text(positions.shape)}"
        )
    if values.ndim != 1:
        invalid(f"Input values should be a vector but received shape {shape_text(values.shape)}")
    if shape.ndim != 1:
        invalid(f"Input shape should be a vector but received shape {shape_text(shape.shape)}")


def check_operand(side: str, positions: Any, values: Any, shape: Any) -> None:
    """Calls `check_parts` on an operand of a sparse-dense op, identified in errors by its `side`."""
    if positions.ndim != 2:
        invalid(
            f"Input {side}_indices should be a matrix but received shape: {shape_text(positions.shape)}"
        )
    if values.ndim != 1 or shape.ndim != 1:
        invalid(
            f"Inputs {side}_values and {side}_shape should be vectors but received shapes: "
            f"{shape_text(values.shape)} and {shape_text(shape.shape)}"
        )
