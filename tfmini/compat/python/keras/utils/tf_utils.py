"""`tensorflow.python.keras.utils.tf_utils`: the definition of symbolic tensors."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.nn.layers.backend.keras_graph import is_symbolic
from tfmini._src.ops.ragged.ragged_tensor import tensor_or_ragged
from tfmini._src.variables.variable import Variable

__all__ = ["is_symbolic_tensor", "register_symbolic_tensor_type"]

_registered: set[type] = set()


def register_symbolic_tensor_type(cls_type: type) -> None:
    """Registers a class for `is_symbolic_tensor`; raises ValueError if it is not a class."""
    if not isinstance(cls_type, type):
        raise ValueError("cls_type must be a class")
    _registered.add(cls_type)


def is_symbolic_tensor(tensor: Any) -> bool:
    """Whether the value is a tensor or composite tensor without a value, or a variable used in a graph.

    Instances of registered classes are converted first.
    """
    if isinstance(tensor, tuple(_registered)):
        tensor = tensor_or_ragged(tensor)
    if isinstance(tensor, IndexedSlices):
        tensor = tensor.values
    return is_symbolic(tensor) or isinstance(tensor, Variable) and not executing_eagerly()
