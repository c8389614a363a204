"""Common parts of sparse ops: operands, index order, and checks.

An index is a row of `indices`, an int64 matrix; most ops expect row-major order.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

from tfmini._src.base.errors import invalid
from tfmini._src.graph.composite_values import SparseTensor, SparseTensorValue
from tfmini._src.ops.operands import row_count, shape_text

# The upper bound of index keys.
_LARGEST = 2**62


def as_sparse(value: Any) -> SparseTensor:
    """Converts `value` to a SparseTensor; raises TypeError if it is not one."""
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return value


def inside(places: Any, shape: Any) -> Any:
    """Whether each index is within a shape, axis by axis, which is faster than all axes at once."""
    result = None
    for column, size in zip(places.T, shape.tolist()):
        good = (column >= 0) & (column < size)
        result = good if result is None else result & good
    return places[:, :0].all(axis=1) if result is None else result


def keys(xp: Any, *places: Any) -> list[Any]:
    """Sort keys for the indices in each matrix: equal for equal indices, increasing in row-major order."""
    count = sum(map(len, places))
    if not count or not places[0].shape[1]:
        return [xp.zeros(len(matrix), "i8") for matrix in places]
    lowest, extents = [], []
    for axis in range(places[0].shape[1]):
        columns = [matrix[:, axis] for matrix in places if len(matrix)]
        lowest.append(min(int(column.min()) for column in columns))
        extents.append(max(int(column.max()) for column in columns) - lowest[-1] + 1)
    if math.prod(extents) >= _LARGEST:
        numbers = xp.unique(xp.concatenate(places), axis=0, return_inverse=True)[1].reshape(-1)
        ends = [0, *itertools.accumulate(map(len, places))]
        return [numbers[start:end] for start, end in itertools.pairwise(ends)]
    result = []
    for matrix in places:
        numbers = matrix[:, 0] - lowest[0]
        for axis in range(1, matrix.shape[1]):
            numbers = numbers * extents[axis]
            numbers += matrix[:, axis]
            numbers -= lowest[axis]
        result.append(numbers)
    return result


def order(xp: Any, places: Any) -> Any:
    """The stable permutation that sorts indices in row-major order; None if they are sorted."""
    (numbers,) = keys(xp, places)
    if not (numbers[1:] < numbers[:-1]).any():
        return None
    return xp.argsort(numbers, kind="stable")


def check_places(xp: Any, places: Any, shape: Any) -> None:
    """Raises InvalidArgumentError for the first index that is out of range, unsorted or repeated."""
    outside = ~inside(places, shape)
    (numbers,) = keys(xp, places)
    bad = outside.copy()
    bad[1:] |= numbers[1:] <= numbers[:-1]
    if not bad.any():
        return
    i = int(bad.argmax())
    place = f"indices[{i}] = {shape_text(places[i].tolist())}"
    if outside[i]:
        limits = shape_text(shape.tolist())
        invalid(f"{place} is out of bounds: need 0 <= index < {limits}")
    if numbers[i] == numbers[i - 1]:
        invalid(f"{place} is repeated")
    invalid(
        f"{place} is out of order. Many sparse ops require sorted indices.\n"
        "    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n"
    )


def check_sizes(places: Any, values: Any, shape: Any) -> None:
    """Raises InvalidArgumentError unless there is one value per index, and the index length is the shape's rank."""
    if row_count(places) != row_count(values):
        invalid(
            "indices and values rows (indexing dimension) must match. "
            f"(indices = {row_count(places)}, values = {row_count(values)})"
        )
    if places.ndim != 2 or shape.ndim != 1 or places.shape[1] != shape.size:
        invalid("Order length must be SparseTensor rank.")


def check_sparse(places: Any, values: Any, shape: Any) -> None:
    """Raises InvalidArgumentError unless the parts form a sparse tensor, as in TensorFlow's C++ class."""
    if values.ndim != 1:
        invalid(f"vals must be a vec, but got: {shape_text(values.shape)}")
    if places.ndim != 2 and places.ndim and len(places) == row_count(values):
        invalid(f"indices must be a matrix, but got: {shape_text(places.shape)}")
    check_sizes(places, values, shape)


def check_parts(places: Any, values: Any, shape: Any) -> None:
    """Raises InvalidArgumentError unless the parts are a matrix and two vectors of matching sizes."""
    if places.ndim != 2:
        invalid(f"Input indices should be a matrix but received shape {shape_text(places.shape)}")
    if values.ndim != 1:
        invalid(f"Input values should be a vector but received shape {shape_text(values.shape)}")
    if shape.ndim != 1:
        invalid(f"Input shape should be a vector but received shape {shape_text(shape.shape)}")


def check_operand(side: str, places: Any, values: Any, shape: Any) -> None:
    """The same check for an operand of a sparse-dense op, identified by its `side` in errors."""
    if places.ndim != 2:
        invalid(
            f"Input {side}_indices should be a matrix but received shape: {shape_text(places.shape)}"
        )
    if values.ndim != 1 or shape.ndim != 1:
        invalid(
            f"Inputs {side}_values and {side}_shape should be vectors but received shapes: "
            f"{shape_text(values.shape)} and {shape_text(shape.shape)}"
        )
