"""Lookup tables: keys and values in a session, which ops fill, read and modify."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import (
    AbortedError,
    FailedPreconditionError,
    UnimplementedError,
    invalid,
)
from tfmini._src.base.locks import make_rlock
from tfmini._src.devices.host.native.number_index import NumberIndex
from tfmini._src.devices.host.native.strings import Index
from tfmini._src.graph.op_traits.handle_kinds import TABLE, Resource
from tfmini._src.ops.lookup.text_file_columns import shown
from tfmini._src.ops.operands import bare, dense, shape_text
from tfmini._src.ops.string.string_elements import shape_of, vector

# From elements to their positions among keys, -1 without one; None without the native library.
_Find: TypeAlias = Callable[[np.ndarray], np.ndarray | None]


def _string_index(keys: dict[Any, Any]) -> _Find:
    index = Index(vector(keys), np.arange(len(keys)))
    return lambda elements: index.find(elements, -1)


def _integer_index(keys: dict[Any, Any]) -> _Find:
    index = NumberIndex(np.fromiter(keys, np.int64, len(keys)))
    return lambda elements: index.find(elements.astype(np.int64, copy=False))


# By the dtype of a table's keys.
_INDEXED: dict[Any, Callable[[dict[Any, Any]], _Find]] = {
    dtypes.string: _string_index,
    dtypes.int32: _integer_index,
    dtypes.int64: _integer_index,
}


class Table(Resource):
    """Keys and values; an immutable table is filled once.

    name: the name for error messages.
    """

    resource_kind = TABLE

    name = ""

    def __init__(self, key_dtype: Any, value_dtype: Any, value_shape: tuple, is_mutable: bool):
        self.key_dtype = key_dtype
        self.value_dtype = value_dtype
        self.value_shape = value_shape
        self.is_mutable = is_mutable
        self.lock = make_rlock()
        self.items: dict[Any, Any] = {}
        self.is_filled = is_mutable
        self._index: _Find | None = None
        self._indexed = np.empty(0)

    def check(self, keys: Any, values: Any = None, gives_values: bool = False) -> None:
        """Raises InvalidArgumentError if key or value dtypes differ from the table's."""
        kinds = [_name_of(keys)] if values is None else [_name_of(keys), _name_of(values)]
        wanted = [self.key_dtype.name, self.value_dtype.name][: len(kinds)]
        if kinds != wanted:
            have, want = (
                ", ".join(["resource", *names]) + "->" + (names[1] if gives_values else "")
                for names in map(_c_names, (kinds, wanted))
            )
            invalid(f"Signature mismatch, have: {have} expected: {want}")

    def find(self, keys: Any, default: Any) -> Any:
        """The value of each key, `default` for missing keys."""
        self.check(keys, default, gives_values=True)
        if shape_of(default) != self.value_shape:
            invalid(
                f"Expected shape {shape_text(self.value_shape)} for default value, got "
                f"{shape_text(shape_of(default))}"
            )
        if not self.is_filled:
            raise FailedPreconditionError(None, None, "Table not initialized.")
        keys = dense(keys)
        fallback = _plain(default)
        at_once = self._found_at_once(keys, fallback)
        if at_once is not None:
            return bare(at_once)
        get, asked = self.items.get, keys.ravel().tolist()
        with self.lock:
            found = map(get, asked, itertools.repeat(fallback))
            if self.value_shape or self.value_dtype is dtypes.string:
                return bare(self._array(list(found), keys.shape))
            kind = self.value_dtype.as_numpy_dtype
            return bare(np.fromiter(found, kind, keys.size).reshape(keys.shape))

    def _found_at_once(self, keys: np.ndarray, default: Any) -> np.ndarray | None:
        """Looks keys up in an immutable table by a native index; None to use the dict."""
        if self.is_mutable or not self.items or self.key_dtype not in _INDEXED:
            return None
        with self.lock:
            if self._index is None:
                self._index = _INDEXED[self.key_dtype](self.items)
                self._indexed = self._array(list(self.items.values()), (len(self.items),))
        positions = self._index(keys)
        if positions is None:
            return None
        values = self._indexed.take(positions)  # the last one for -1
        is_missing = positions < 0
        if is_missing.any():
            values[is_missing] = default
        return values

    def _array(self, values: list, shape: tuple) -> Any:
        if self.value_dtype is dtypes.string:
            result = np.empty((len(values), *self.value_shape), object)
            result[:] = values
        else:
            result = np.array(values, self.value_dtype.as_numpy_dtype)
        return result.reshape((*shape, *self.value_shape))

    def check_shapes(self, keys: Any, values: Any) -> None:
        want = (*shape_of(keys), *self.value_shape)
        if shape_of(values) != want:
            invalid(
                f"Expected shape {shape_text(want)} for value, got {shape_text(shape_of(values))}"
            )

    def fill(self, keys: list, values: list) -> None:
        """Fills the table; if it is already filled, only compares the number of keys."""
        with self.lock:
            if self.is_filled:
                if len(keys) != len(self.items):
                    text = "Table was already initialized with different data."
                    raise FailedPreconditionError(None, None, text)
                return
            items: dict[Any, Any] = {}
            for key, value in zip(keys, values):
                if items.setdefault(key, value) != value:
                    raise FailedPreconditionError(
                        None,
                        None,
                        "HashTable has different value for same key. Key "
                        f"{shown(key)} has {shown(items[key])} and trying to add value "
                        f"{shown(value)}",
                    )
            self.items = items
            self.is_filled = True

    def insert(self, keys: Any, values: Any, is_whole: bool = False) -> None:
        """Inserts keys and values; `is_whole` replaces all others."""
        self.check(keys, values)
        self.check_shapes(keys, values)
        pairs = zip(_listed(keys, 0), _listed(values, len(self.value_shape)))
        if not self.is_mutable:
            if is_whole:
                if not np.size(keys):
                    invalid("keys and values cannot be empty tensors.")
                self.fill(*map(list, zip(*pairs)))
                return
            self._refuse("Insert")
        with self.lock:
            if is_whole:
                self.items = {}
            self.items.update(pairs)

    def initialize(self, keys: Any, values: Any) -> None:
        """Fills the table; raises InvalidArgumentError for a mutable one."""
        self.check_initializable()
        self.check(keys, values)
        for what, vector_of in (("Keys", keys), ("Values", values)):
            if len(shape_of(vector_of)) != 1:
                shape = shape_text(shape_of(vector_of))
                invalid(f"{what} must be a vector, but received shape{shape}")
        if len(keys) != len(values):
            invalid(f"Keys and values must have the same size {len(keys)} vs {len(values)}")
        self.insert(keys, values, is_whole=True)

    def check_initializable(self) -> None:
        if self.is_mutable:
            invalid(f"Table {self.name} is not initializable")

    def _refuse(self, action: str) -> None:
        text = f"{action} not supported by InitializableLookupTable implementations"
        raise UnimplementedError(None, None, text)

    def size(self) -> int:
        return len(self.items)

    def remove(self, keys: Any) -> None:
        if not self.is_mutable:
            self._refuse("Remove")
        with self.lock:
            for key in _listed(keys, 0):
                self.items.pop(key, None)

    def export(self) -> tuple:
        """All keys and their values."""
        if not self.is_filled:
            raise AbortedError(None, None, "HashTable is not initialized.")
        with self.lock:
            keys, values = list(self.items), list(self.items.values())
        if self.key_dtype is dtypes.string:
            array = np.empty(len(keys), object)
            array[:] = keys
        else:
            array = np.array(keys, self.key_dtype.as_numpy_dtype)
        return array, self._array(values, (len(keys),))


def _name_of(value: Any) -> str:
    if value.__class__ is bytes or value.dtype == object:
        return "string"
    return dtypes.as_dtype(value.dtype).name


def _c_names(names: list[str]) -> list[str]:
    return [{"float32": "float", "float64": "double"}.get(name, name) for name in names]


def _plain(value: Any) -> Any:
    """The stored form of a value: a Python scalar, or a list."""
    return value if value.__class__ is bytes else value.tolist()


def _listed(value: Any, inner: int) -> list:
    """The elements of a tensor, each of rank `inner`."""
    array = dense(value)
    rest = array.shape[array.ndim - inner :]
    return array.reshape(-1, *rest).tolist()
