"""`tensorflow.python.keras.utils.tf_utils`: what counts as a tensor of a graph."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.indexed_slices_and_sparse_tensor import IndexedSlices, SparseTensor
from tfmini._src.graph.tensor import Tensor
from tfmini._src.variables.variable import Variable

__all__ = ["is_symbolic_tensor", "register_symbolic_tensor_type"]

_registered: set[type] = set()


def register_symbolic_tensor_type(cls_type: type) -> None:
    """Has `is_symbolic_tensor` be true of a class.

    Raises:
      ValueError: it is no class.
    """
    if not isinstance(cls_type, type):
        raise ValueError("cls_type must be a class")
    _registered.add(cls_type)


def is_symbolic_tensor(tensor: Any) -> bool:
    """Whether it is a tensor, a sparse one, slices, a variable, or of a registered class."""
    kinds = (Tensor, SparseTensor, IndexedSlices, Variable)
    return isinstance(tensor, (*kinds, *_registered))
