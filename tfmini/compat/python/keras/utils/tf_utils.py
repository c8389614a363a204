"""`tensorflow.python.keras.utils.tf_utils`: the definition of symbolic tensors."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.composite_values import IndexedSlices, SparseTensor
from tfmini._src.graph.tensor import Tensor
from tfmini._src.variables.variable import Variable

__all__ = ["is_symbolic_tensor", "register_symbolic_tensor_type"]

_registered: set[type] = set()


def register_symbolic_tensor_type(cls_type: type) -> None:
    """Registers a class for `is_symbolic_tensor`; raises ValueError if it is not a class."""
    if not isinstance(cls_type, type):
        raise ValueError("cls_type must be a class")
    _registered.add(cls_type)


def is_symbolic_tensor(tensor: Any) -> bool:
    """Whether the value is a tensor, sparse tensor, IndexedSlices, variable, or an instance of a registered class."""
    classes = (Tensor, SparseTensor, IndexedSlices, Variable)
    return isinstance(tensor, (*classes, *_registered))
