"""`tensorflow.python.framework.common_shapes`: static shapes of a node's outputs, as lists."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes.tensor_shape import TensorShape
from tfmini._src.ops.array.repetition import broadcast_static_shape as broadcast_shape

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
    """Returns unknown shapes for all outputs."""
    return [TensorShape(None) for _ in op.outputs]


def scalar_shape(unused_op: Any) -> list[TensorShape]:
    """Returns a scalar shape for the only output."""
    return [TensorShape([])]


def no_outputs(unused_op: Any) -> list[TensorShape]:
    """Returns no shapes, for nodes without outputs."""
    return []


def unchanged_shape(op: Any) -> list[TensorShape]:
    """Returns the shape of the first input for the only output."""
    return [op.inputs[0].get_shape()]


def rank(tensor: Any) -> int | None:
    """Returns the static rank of a tensor or tensor-like value; None if unknown."""
    return TensorShape(tensor.shape).ndims


def has_fully_defined_shape(tensor: Any) -> bool:
    """Whether the static shape of a tensor is fully defined."""
    return TensorShape(tensor.shape).is_fully_defined()


def is_broadcast_compatible(shape_x: TensorShape, shape_y: TensorShape) -> bool:
    """Whether values of these shapes broadcast; False if a rank is unknown."""
    if shape_x.ndims is None or shape_y.ndims is None:
        return False
    try:
        broadcast_shape(shape_x, shape_y)
    except ValueError:
        return False
    return True


def call_cpp_shape_fn(op: Any, require_shape_fn: bool = True) -> dict[str, Any]:
    """Returns the static shapes of a node's outputs, inferred when the node was created, as a dictionary.

    Args:
      op: an Operation.
      require_shape_fn: ignored, since all ops have a shape rule.
    """
    return {"shapes": [tensor.shape for tensor in op.outputs]}
