"""`tensorflow.python.framework.composite_tensor`: values composed of several tensors."""

from __future__ import annotations

import abc
from typing import Any

from tfmini._src.graph.composite_values import (
    CompositeValue,
    IndexedSlices,
    SparseTensor,
)

__all__ = ["CompositeTensor"]


class CompositeTensor(metaclass=abc.ABCMeta):
    """Base class of composite tensors; `isinstance` also accepts SparseTensors and IndexedSlices."""

    @property
    @abc.abstractmethod
    def _type_spec(self) -> Any:
        """The TypeSpec of the value."""

    def _to_components(self) -> Any:
        return self._type_spec._to_components(self)


CompositeTensor.register(SparseTensor)
CompositeTensor.register(IndexedSlices)
CompositeTensor.register(CompositeValue)
