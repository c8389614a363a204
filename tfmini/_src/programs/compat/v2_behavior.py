"""Switches between TensorFlow 1 and TensorFlow 2 behavior, to be set at program start."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import tf2
from tfmini._src.base.shapes.tensor_shape import disable_v2_tensorshape, enable_v2_tensorshape
from tfmini._src.functions.control_flow_v2 import disable_control_flow_v2, enable_control_flow_v2
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.tensor import Operators, Tensor
from tfmini._src.ops import ops
from tfmini._src.session.eager.enable import disable_eager_execution, enable_eager_execution
from tfmini._src.variables.enable_resource_variables import (
    disable_resource_variables,
    enable_resource_variables,
)
from tfmini._src.variables.init_scope import executing_eagerly_outside_functions


def enable_v2_behavior() -> None:
    """Enables eager execution, int dimensions, resource variables, and the other switches here.

    Raises:
      ValueError: if the program has already created graph nodes.
    """
    enable_eager_execution()
    enable_v2_tensorshape()
    enable_resource_variables()
    enable_tensor_equality()
    enable_control_flow_v2()
    tf2.enable()


def disable_v2_behavior() -> None:
    """Restores the default TensorFlow 1 behavior."""
    disable_eager_execution()
    disable_v2_tensorshape()
    disable_resource_variables()
    disable_tensor_equality()
    disable_control_flow_v2()
    tf2.disable()


def enable_tensor_equality() -> None:
    """Makes `==` and `!=` compare tensors and variables by value, element by element, in eager execution.

    This includes functions under construction; tensors of other graphs still compare by identity. Unlike in TensorFlow,
    tensors and variables remain hashable, by identity.
    """
    Operators.__eq__ = _equal  # type: ignore[method-assign]
    Operators.__ne__ = _not_equal  # type: ignore[method-assign]


def disable_tensor_equality() -> None:
    """Makes `==` and `!=` compare tensors by identity, the default."""
    Operators.__eq__, Operators.__ne__ = _IDENTITY  # type: ignore[method-assign]


_IDENTITY = Operators.__eq__, Operators.__ne__


def _equal(self: Any, other: Any) -> Any:
    return ops.equal(self, other) if _compares_values(self) else self is other


def _not_equal(self: Any, other: Any) -> Any:
    return ops.not_equal(self, other) if _compares_values(self) else self is not other


def _compares_values(x: Any) -> bool:
    if not executing_eagerly_outside_functions():
        return False
    is_symbolic = isinstance(x, Tensor) and not isinstance(x, EagerTensor)
    return not is_symbolic or x.graph.building_function
