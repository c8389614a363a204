"""Static sizes of axes, and tuples of sizes for layers."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes import TensorShape


def channel_dimension(shape: TensorShape, data_format: str, min_rank: int = 1) -> int:
    """Returns the number of channels; raises ValueError if unknown."""
    return _dimension(shape, 1 if data_format == "channels_first" else -1, min_rank)


def last_dimension(shape: TensorShape, min_rank: int = 1) -> int:
    """Returns the size of the last axis; raises ValueError if unknown."""
    return _dimension(shape, -1, min_rank)


def _dimension(shape: TensorShape, axis: int, min_rank: int) -> int:
    dims = shape.dims
    if dims is None:
        raise ValueError("dims of shape must be known but is None")
    if len(dims) < min_rank:
        raise ValueError(f"rank of shape must be at least {min_rank} not: {len(dims)}")
    value = dims[axis].value
    if value is None:
        raise ValueError(f"dimension {axis} of shape must be known but is None: {shape}")
    return value


def two_element_tuple(int_or_tuple: Any) -> tuple[Any, ...]:
    """Returns a pair of numbers, from one number or two; raises ValueError for anything else."""
    if isinstance(int_or_tuple, (list, tuple)):
        if len(int_or_tuple) != 2:
            raise ValueError(f"Must be a list with 2 elements: {int_or_tuple}")
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    if isinstance(int_or_tuple, TensorShape) and len(int_or_tuple) == 2:
        return int_or_tuple[0], int_or_tuple[1]
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


def n_positive_integers(n: int, value: Any) -> tuple[int, ...]:
    """Returns a list of n positive numbers; a single number is repeated. Raises ValueError for anything else."""
    count = int(n)
    if count < 1 or count != n:
        raise ValueError("n must be a positive integer")
    try:
        values = (int(value),) * count
    except (TypeError, ValueError):
        text = f"Expected sequence of {count} positive integers, but received {value!r}"
        if len(value) != count:
            raise ValueError(text) from None
        try:
            values = tuple(int(x) for x in value)
        except (TypeError, ValueError):
            raise ValueError(text) from None
    for x in values:
        if x < 1:
            raise ValueError(f"expected positive integer, but received {x}")
    return values
