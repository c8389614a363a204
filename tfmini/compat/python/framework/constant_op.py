"""`tensorflow.python.framework.constant_op`: `constant` as `tf.compat.v2` has it."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes.tensor_shape import TensorShape
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.literals import check_fills, make_literal
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.array import constant_and_placeholder

__all__ = ["constant", "is_constant"]


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Tensor:
    """`tf.constant`, but only a single value is repeated to fill the shape.

    Raises:
      TypeError: the value has another number of elements than the shape.
    """
    if shape is not None and not executing_eagerly():
        check_fills(make_literal(value, dtype), tuple(TensorShape(shape).as_list()))
    return constant_and_placeholder.constant(value, dtype, shape, name)


def is_constant(tensor_or_op: Any) -> bool:
    """Whether a node, or the node of a tensor, is a constant."""
    return getattr(tensor_or_op, "op", tensor_or_op).type == "Const"
