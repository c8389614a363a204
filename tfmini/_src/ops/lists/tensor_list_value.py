"""The run-time value of a tensor list, behind a variant handle.

Lists are immutable: modifications create a new list. To avoid copies in loops, which never use the old
list again, versions of a list share one Python list. The newest version owns it; each older version records its
difference (H. Baker, "Shallow binding makes functional arrays fast", 1991).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.locks import make_rlock
from tfmini._src.graph.op_traits.handle_kinds import VariantKind
from tfmini._src.graph.shape_inference import Dims, InferenceError, merge
from tfmini._src.ops.lists.partial_shapes import dims_text, is_known, merge_shapes
from tfmini._src.ops.operands import HANDLE_TYPES, c_name, dense

_lock = make_rlock()


class _Version:
    """The items of one list version: `items` in the newest one, else the difference from `newer`."""

    __slots__ = ("items", "newer", "undo")

    def __init__(self, items: list):
        self.items: Any = items
        self.newer: _Version | None = None
        self.undo: tuple = ()

    def owned_items(self) -> list:
        """Makes this version the owner of the items and returns them."""
        chain = []
        version = self
        while version.newer is not None:
            chain.append(version)
            version = version.newer
        for older_list in reversed(chain):
            newer = older_list.newer
            assert newer is not None
            items, newer.items = newer.items, None
            newer.undo = _apply(items, older_list.undo)
            newer.newer = older_list
            older_list.items, older_list.newer, older_list.undo = items, None, ()
        return self.items

    def change(self, change: tuple) -> _Version:
        """Returns the version after a change: ("push", item), ("pop",) or ("set", index, item)."""
        items = self.owned_items()
        undo = _apply(items, change)
        version = _Version(items)
        self.items, self.newer, self.undo = None, version, undo
        return version


def _apply(items: list, change: tuple) -> tuple:
    """Applies a change and returns its inverse."""
    name = change[0]
    if name == "push":
        items.append(change[1])
        return ("pop",)
    if name == "pop":
        return ("push", items.pop())
    _, index, item = change
    old_item, items[index] = items[index], item
    return ("set", index, old_item)


class TensorList:
    """A list of tensors of the same dtype.

    dtype: the element dtype; dims: the known part of the element shape; limit: the maximum length, -1 if unlimited.
    Unset items are None.
    """

    __slots__ = ("dtype", "dims", "limit", "_version")
    shape = ()
    variant_text = "Variant<type: tensorflow::TensorList value: TensorList>"

    def __init__(self, dtype: dtypes.DType, dims: Dims, items: Iterable[Any] = (), limit: int = -1):
        self.dtype = dtype
        self.dims = dims
        self.limit = limit
        self._version = _Version(list(items))

    def _with_version(self, version: _Version) -> TensorList:
        instance = TensorList.__new__(TensorList)
        instance.dtype, instance.dims, instance.limit = self.dtype, self.dims, self.limit
        instance._version = version
        return instance

    def change(self, *change: Any) -> TensorList:
        """Returns the list after a change: ("push", item), ("pop",) or ("set", index, item)."""
        with _lock:
            return self._with_version(self._version.change(change))

    def replace_items(self, items: Iterable[Any]) -> TensorList:
        """Returns a list with the same attributes and different items."""
        return self._with_version(_Version(list(items)))

    @property
    def items(self) -> list:
        """Returns a copy of the items."""
        with _lock:
            return list(self._version.owned_items())

    def item(self, index: int) -> Any:
        with _lock:
            return self._version.owned_items()[index]

    @property
    def length(self) -> int:
        with _lock:
            return len(self._version.owned_items())

    def check_dtype(self, dtype: dtypes.DType) -> None:
        """Raises InvalidArgumentError unless the items are of this dtype."""
        if dtype is not self.dtype:
            invalid(
                f"Invalid data types; op elements {c_name(dtype)} but list elements {c_name(self.dtype)}"
            )

    def item_shape(self, dims: Dims, items: Iterable[Any]) -> Dims:
        """Returns the element shape merged from `dims`, the list and its items."""
        shape = merge_shapes(dims, self.dims)
        if not is_known(shape):
            for item in items:
                if item is not None:
                    shape = merge_shapes(shape, item.shape)
        return shape

    def add_variant(self, xp: Any, other: TensorList) -> TensorList:
        """Returns the elementwise sums of two lists."""
        self.check_addition(other)
        pairs = zip(self.items, other.items)
        return self.replace_items(_sum(xp, self.dtype, a, b) for a, b in pairs)

    def check_addition(self, other: TensorList) -> None:
        if self.dtype is not other.dtype:
            invalid(
                "Trying to add two lists of tensors of different dtypes. One is "
                f"{c_name(self.dtype)} and the other is {c_name(other.dtype)}"
            )
        if self.length != other.length:
            invalid(
                "Trying to add two lists of tensors with different lengths. One is "
                f"{self.length} and the other is {other.length}"
            )
        try:
            merge(self.dims, other.dims)
        except InferenceError:
            invalid(
                "Trying to add two lists of tensors with incompatible element shapes. One is "
                f"{dims_text(self.dims)} and the other is {dims_text(other.dims)}"
            )

    def zeros(self, xp: Any) -> TensorList:
        """Returns a list of zeros with the shapes of the items."""
        return self.replace_items(
            None if item is None else zeros_like_item(xp, item) for item in self.items
        )

    def __repr__(self) -> str:
        return f"TensorList<{self.dtype.name}{dims_text(self.dims)}, {self.length} items>"


HANDLE_TYPES.add(TensorList)

LIST = VariantKind(
    TensorList,
    "Input list must be a scalar saw: {shape}",
    "Input handle is not a list. Saw: '{value}'",
)


def as_item(value: Any) -> Any:
    """Converts a value for storage in a list; numpy scalars become arrays."""
    return value if hasattr(value, "zeros") else dense(value)


def move_to_device(xp: Any, item: Any) -> Any:
    """Moves an item, which may have been stored on another device, to the device of the reading node."""
    if isinstance(item, xp.ndarray) or hasattr(item, "zeros"):
        return item
    if xp is np:
        return item.get() if hasattr(item, "get") else item
    return xp.asarray(item)


def zeros_like_item(xp: Any, item: Any) -> Any:
    """Returns zeros like a tensor or variant."""
    return item.zeros(xp) if hasattr(item, "zeros") else xp.zeros(item.shape, item.dtype)


def add_items(xp: Any, a: Any, b: Any) -> Any:
    """Returns the sum of two tensors, or of two variants of the same type."""
    if not hasattr(a, "add_variant"):
        return move_to_device(xp, a) + move_to_device(xp, b)
    if type(a) is not type(b):
        invalid("Different input variants cannot be added")
    return a.add_variant(xp, b)


def _sum(xp: Any, dtype: dtypes.DType, a: Any, b: Any) -> Any:
    if a is None or b is None:
        return b if a is None else a
    return add_items(xp, a, b)


def arrays(items: list) -> Iterator[Any]:
    """Returns the items that have been set."""
    return (item for item in items if item is not None)
