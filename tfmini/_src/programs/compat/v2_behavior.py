"""The switches between the behaviour of TensorFlow 1 and that of TensorFlow 2, which a program throws at its start."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes.tensor_shape import disable_v2_tensorshape, enable_v2_tensorshape
from tfmini._src.functions.control_flow_v2 import disable_control_flow_v2, enable_control_flow_v2
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.nn.layers.backend.config import set_v2_behavior
from tfmini._src.ops import ops
from tfmini._src.session.eager.enable import disable_eager_execution, enable_eager_execution
from tfmini._src.variables.enable_resource_variables import (
    disable_resource_variables,
    enable_resource_variables,
)


def enable_v2_behavior() -> None:
    """Eager execution, plain numbers as dimensions, resource variables, and what the other switches here enable.

    Raises:
      ValueError: if the program has made nodes of a graph before.
    """
    enable_eager_execution()
    enable_v2_tensorshape()
    enable_resource_variables()
    enable_tensor_equality()
    enable_control_flow_v2()
    set_v2_behavior(True)


def disable_v2_behavior() -> None:
    """The behaviour of TensorFlow 1, as it is without `enable_v2_behavior`."""
    disable_eager_execution()
    disable_v2_tensorshape()
    disable_resource_variables()
    disable_tensor_equality()
    disable_control_flow_v2()
    set_v2_behavior(False)


def enable_tensor_equality() -> None:
    """Makes `==` and `!=` compare the values of tensors in eager mode, element by element.

    Tensors of graphs and of functions under construction compare by identity, as without it: there use `tf.equal`.
    Other than in TensorFlow tensors may be keys of dictionaries then too, by identity.
    """
    EagerTensor.__eq__ = _equal  # type: ignore[assignment, method-assign]
    EagerTensor.__ne__ = _not_equal  # type: ignore[assignment, method-assign]
    EagerTensor.__hash__ = object.__hash__  # type: ignore[method-assign]


def disable_tensor_equality() -> None:
    """Makes `==` of tensors compare identity: the default."""
    for name in ("__eq__", "__ne__", "__hash__"):
        if name in vars(EagerTensor):
            delattr(EagerTensor, name)


def _equal(self: EagerTensor, other: Any) -> Any:
    return ops.equal(self, other)


def _not_equal(self: EagerTensor, other: Any) -> Any:
    return ops.not_equal(self, other)
