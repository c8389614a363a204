"""`tensorflow.python.framework.common_shapes`: static shapes, as lists for the outputs of a node."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes.tensor_shape import TensorShape
from tfmini._src.ops.array.tile_broadcast_repeat import broadcast_static_shape as broadcast_shape

__all__ = [
    "broadcast_shape",
    "call_cpp_shape_fn",
    "has_fully_defined_shape",
    "is_broadcast_compatible",
    "no_outputs",
    "rank",
    "scalar_shape",
    "unchanged_shape",
    "unknown_shape",
]


def unknown_shape(op: Any) -> list[TensorShape]:
    """Nothing is known of any output."""
    return [TensorShape(None) for _ in op.outputs]


def scalar_shape(unused_op: Any) -> list[TensorShape]:
    """The one output is a scalar."""
    return [TensorShape([])]


def no_outputs(unused_op: Any) -> list[TensorShape]:
    """There are no outputs."""
    return []


def unchanged_shape(op: Any) -> list[TensorShape]:
    """The one output has the shape of the first input."""
    return [op.inputs[0].get_shape()]


def rank(tensor: Any) -> int | None:
    """The static rank of a tensor, or of what becomes one; None if it is not known."""
    return TensorShape(tensor.shape).ndims


def has_fully_defined_shape(tensor: Any) -> bool:
    """Whether the static shape of a tensor is known whole."""
    return TensorShape(tensor.shape).is_fully_defined()


def is_broadcast_compatible(shape_x: TensorShape, shape_y: TensorShape) -> bool:
    """Whether values of these shapes can be broadcast; False if a rank is not known."""
    if shape_x.ndims is None or shape_y.ndims is None:
        return False
    try:
        broadcast_shape(shape_x, shape_y)
    except ValueError:
        return False
    return True


def call_cpp_shape_fn(op: Any, require_shape_fn: bool = True) -> dict[str, Any]:
    """The static shapes of the outputs of a node, as a dictionary: the op's rule has found them when it was made.

    Args:
      op: an Operation.
      require_shape_fn: whether the op must have a rule; all have one.
    """
    return {"shapes": [tensor.shape for tensor in op.outputs]}
