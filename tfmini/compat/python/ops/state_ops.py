"""`tensorflow.python.ops.state_ops`: variables as ops, without the class."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes.tensor_shape import TensorShape
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import raw

__all__ = ["variable_op", "variable_op_v2"]


def variable_op(
    shape: Any,
    dtype: Any,
    name: str = "Variable",
    set_shape: bool = True,
    container: str = "",
    shared_name: str = "",
) -> Tensor:
    """Returns an uninitialized variable node, as a reference of this dtype.

    Args:
      shape: its shape.
      dtype: the dtype of its elements.
      set_shape: whether to also set the static shape.
      container, shared_name: container of the variable, and its name there.

    Example:
      v = state_ops.variable_op([2, 3], tf.float32)
      set_to_zero = tf.assign(v, tf.zeros([2, 3]))
    """
    static_shape = TensorShape(shape if set_shape else None)
    variable = raw.Variable(
        shape=static_shape, dtype=dtype, container=container, shared_name=shared_name, name=name
    )
    variable.set_shape(static_shape)
    return variable


def variable_op_v2(
    shape: Any, dtype: Any, name: str = "Variable", container: str = "", shared_name: str = ""
) -> Tensor:
    """Returns an uninitialized variable node of known shape, as a reference of this dtype.

    Args:
      shape: its shape.
      dtype: the dtype of its elements.
      container, shared_name: container of the variable, and its name there.
    """
    return raw.VariableV2(
        shape=shape, dtype=dtype, container=container, shared_name=shared_name, name=name
    )
