"""`tensorflow.python.autograph.utils.tensor_list`: a list of tensors with the interface of a Python list."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import raw
from tfmini._src.ops.lists.tensor_array import TensorArray
from tfmini.compat.python.ops import list_ops

__all__ = ["TensorList", "dynamic_list_append"]


def dynamic_list_append(target: Any, element: Any) -> Any:
    """Appends an element to a TensorArray, a tensor list or a Python list; returns the list."""
    if isinstance(target, TensorArray):
        return target.write(target.size(), element)
    if isinstance(target, Tensor):
        return raw.TensorListPushBack(target, element)
    target.append(element)
    return target


class TensorList:
    """A list of tensors with this shape and dtype."""

    def __init__(self, shape: Any, dtype: Any) -> None:
        self.shape, self.dtype = shape, dtype
        self.list_: Tensor = list_ops.empty_tensor_list(shape, dtype)

    def append(self, value: Any) -> None:
        """Appends an item."""
        self.list_ = raw.TensorListPushBack(self.list_, value)

    def pop(self) -> Any:
        """Removes and returns the last item."""
        self.list_, value = list_ops.tensor_list_pop_back(self.list_, self.dtype)
        return value

    def clear(self) -> None:
        """Removes all items."""
        self.list_ = list_ops.empty_tensor_list(self.shape, self.dtype)

    def count(self) -> Any:
        """Returns the number of items, as a tensor."""
        return raw.TensorListLength(self.list_)

    def __getitem__(self, key: Any) -> Any:
        return list_ops.tensor_list_get_item(self.list_, key, self.dtype)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.list_ = list_ops.tensor_list_set_item(self.list_, key, value)
