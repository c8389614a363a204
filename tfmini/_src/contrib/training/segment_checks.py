"""Checks of sequence sizes, static if possible, else at run time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def is_multiple(value: Tensor, divisor: Any, remainder: Tensor, subject: str) -> Any:
    """Returns an assertion that a size is a nonzero multiple of another; `subject` begins the message."""
    fits = ops.logical_and(ops.equal(remainder, 0), ops.not_equal(value, 0))
    message = ops.string_join(
        [
            f"{subject} should be a multiple of: ",
            ops.as_string(divisor),
            ", but saw value: ",
            ops.as_string(value),
            ". Consider setting pad=True.",
        ]
    )
    return ops.Assert(fits, [message])


def checked_multiple(value: Tensor, divisor: Any) -> Tensor:
    """Returns a size, checking that it is a multiple of `divisor`."""
    with control_dependencies(
        [is_multiple(value, divisor, ops.mod(value, divisor), f"Tensor {value.name}")]
    ):
        return ops.identity(value, name="multiple_of_checked")


def checked_rank(value: Tensor, rank: Any) -> Tensor:
    """Returns a tensor, checking its rank against an integer or a scalar int32 Tensor."""
    is_equal = ops.equal(rank, ops.rank(value))
    message = ops.string_join(
        [f"Rank of tensor {value.name} should be: ", ops.as_string(rank), ", shape received:"]
    )
    with control_dependencies([ops.Assert(is_equal, [message, ops.shape(value)])]):
        checked = ops.identity(value, name="rank_checked")
    static = constant_value(rank) if isinstance(rank, Tensor) else rank
    if static is not None:
        try:
            checked.set_shape(checked.shape.with_rank(int(static)))
        except ValueError as error:
            raise ValueError(f"Rank check failed for {value.name}: {error}") from error
    return checked


def checked_shape(value: Tensor, shape: Tensor) -> Tensor:
    """Returns a tensor, checking its shape against an int32 vector."""
    static = constant_value(shape)
    expected: Any = shape if static is None else [int(size) for size in static]
    rank = ops.size(expected) if static is None else len(expected)
    value = checked_rank(value, rank)
    is_equal = ops.reduce_all(ops.equal(expected, ops.shape(value)))
    message = ops.string_join(
        [
            f"Shape of tensor {value.name} should be: ",
            ops.as_string(expected),
            ", shape received: ",
            ops.as_string(ops.shape(value)),
        ]
    )
    with control_dependencies([ops.Assert(is_equal, [message])]):
        checked = ops.identity(value, name="shape_checked")
    if static is not None:
        try:
            checked.set_shape(checked.shape.merge_with(expected))
        except ValueError as error:
            raise ValueError(f"Shape check failed for {value.name}: {error}") from error
    return checked


def checked_sizes(value: Tensor, axes: Sequence[int], sizes: Sequence, label: str) -> Tensor:
    """Returns a tensor, checking its sizes along `axes` against integers or scalar int32 Tensors."""
    shape = value.shape
    if shape.ndims is not None:
        if shape.ndims <= max(axes):
            raise ValueError(
                f"{label}: rank of input is not greater than max(dimensions): {shape.ndims} vs. {max(axes)}"
            )
        dims = shape.as_list()
        for axis, size in zip(axes, sizes):
            if not isinstance(size, Tensor):
                dims[axis] = size
        try:
            value.set_shape(shape.merge_with(TensorShape(dims)))
        except ValueError as error:
            raise ValueError(f"Dimensions check failed for {label}: {error}") from error
    checks = [_has_size(value, axis, size, label) for axis, size in zip(axes, sizes)]
    with control_dependencies(checks):
        return ops.identity(value, name=f"dims_checked_{label}")


def _has_size(value: Tensor, axis: int, size: Any, label: str) -> Any:
    is_equal = ops.equal(size, ops.shape(value)[axis])
    message = ops.string_join(
        [
            f"Dimension {axis} of tensor labeled {label} should be: ",
            ops.as_string(size),
            ", shape received: ",
            ops.as_string(ops.shape(value)),
        ]
    )
    return ops.Assert(is_equal, [message])
