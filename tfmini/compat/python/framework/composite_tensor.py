"""`tensorflow.python.framework.composite_tensor`: values that are made of several tensors."""

from __future__ import annotations

import abc
from typing import Any

from tfmini._src.graph.indexed_slices_and_sparse_tensor import (
    CompositeValue,
    IndexedSlices,
    SparseTensor,
)

__all__ = ["CompositeTensor"]


class CompositeTensor(metaclass=abc.ABCMeta):
    """Sparse tensors and slices are some, for `isinstance`, and classes that derive from it."""

    @property
    @abc.abstractmethod
    def _type_spec(self) -> Any:
        """The TypeSpec of the value."""

    def _to_components(self) -> Any:
        return self._type_spec._to_components(self)


CompositeTensor.register(SparseTensor)
CompositeTensor.register(IndexedSlices)
CompositeTensor.register(CompositeValue)
