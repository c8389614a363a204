"""What ops of sparse tensors share: their operands, the order of places, and checks of them.

Places are the rows of `indices`, an int64 matrix; most ops take them in row-major order.
"""

from __future__ import annotations

import math
from typing import Any

from tfmini.errors import InvalidArgumentError
from tfmini.graph.values import SparseTensor, SparseTensorValue
from tfmini.ops.operands import shape_text

# Keys of places stay below this.
_LARGEST = 2**62


def invalid(problem: str) -> InvalidArgumentError:
    """The InvalidArgumentError of a kernel."""
    return InvalidArgumentError(None, None, problem)


def as_sparse(value: Any) -> SparseTensor:
    """The SparseTensor that `value` is or describes; TypeError for anything else."""
    if isinstance(value, SparseTensorValue):
        return SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        raise TypeError("Input must be a SparseTensor.")
    return value


def keys(xp: Any, *places: Any) -> list[Any]:
    """A number for each place of each matrix, the same for equal places, larger for later ones."""
    rows = xp.concatenate(places)
    if rows.size:
        rows = rows - rows.min(axis=0)
        extents = [int(size) + 1 for size in rows.max(axis=0).tolist()]
        if math.prod(extents) < _LARGEST:
            steps = [math.prod(extents[i + 1 :]) for i in range(len(extents))]
            numbers = rows @ xp.asarray(steps, "i8")
        else:
            numbers = xp.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
    else:
        numbers = xp.zeros(len(rows), "i8")
    ends = [0]
    for matrix in places:
        ends.append(ends[-1] + len(matrix))
    return [numbers[start:end] for start, end in zip(ends, ends[1:])]


def order(xp: Any, places: Any) -> Any:
    """What sorts places in row-major order, equal ones as they come; None if they are sorted."""
    (numbers,) = keys(xp, places)
    if not (numbers[1:] < numbers[:-1]).any():
        return None
    return xp.argsort(numbers, kind="stable")


def check_places(xp: Any, places: Any, shape: Any) -> None:
    """Raises InvalidArgumentError for the first place that is outside, unsorted or repeated."""
    outside = ((places < 0) | (places >= shape)).any(axis=1)
    (numbers,) = keys(xp, places)
    bad = outside.copy()
    bad[1:] |= numbers[1:] <= numbers[:-1]
    if not bad.any():
        return
    i = int(bad.argmax())
    place = f"indices[{i}] = {shape_text(places[i].tolist())}"
    if outside[i]:
        limits = shape_text(shape.tolist())
        raise invalid(f"{place} is out of bounds: need 0 <= index < {limits}")
    if numbers[i] == numbers[i - 1]:
        raise invalid(f"{place} is repeated")
    raise invalid(
        f"{place} is out of order. Many sparse ops require sorted indices.\n"
        "    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n"
    )


def check_parts(places: Any, values: Any, shape: Any) -> None:
    """Raises InvalidArgumentError unless these are a matrix and two vectors that belong together."""
    if places.ndim != 2:
        raise invalid(
            f"Input indices should be a matrix but received shape {shape_text(places.shape)}"
        )
    if values.ndim != 1:
        raise invalid(
            f"Input values should be a vector but received shape {shape_text(values.shape)}"
        )
    if shape.ndim != 1:
        raise invalid(
            f"Input shape should be a vector but received shape {shape_text(shape.shape)}"
        )
