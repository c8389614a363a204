"""Lookup tables: keys and values in a session, which ops fill, read and modify."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import (
    AbortedError,
    FailedPreconditionError,
    UnimplementedError,
    invalid,
)
from tfmini._src.base.locks import make_rlock
from tfmini._src.graph.op_traits.handle_kinds import TABLE, Resource
from tfmini._src.ops.lookup.key_index import array_dtype, index_for
from tfmini._src.ops.lookup.text_file_columns import format_value
from tfmini._src.ops.operands import dense, shape_text, unwrap_string
from tfmini._src.ops.string.string_elements import array_shape


class Table(Resource):
    """Keys and values; an immutable table is filled only once.

    name: the name used in error messages.
    """

    resource_kind = TABLE

    name = ""

    def __init__(self, key_dtype: Any, value_dtype: Any, value_shape: tuple, is_mutable: bool):
        self.key_dtype = key_dtype
        self.value_dtype = value_dtype
        self._key_array, self._value_array = map(
            np.dtype, map(array_dtype, (key_dtype, value_dtype))
        )
        self.value_shape = value_shape
        self.is_mutable = is_mutable
        self.lock = make_rlock()
        self._reading = self.lock if is_mutable else contextlib.nullcontext()
        self._clear_keys()
        self.is_filled = is_mutable

    def _clear_keys(self) -> None:
        self._index = index_for(self.key_dtype)
        self._values = self._room_for(1)

    def _room_for(self, count: int) -> np.ndarray:
        return np.empty((count, *self.value_shape), array_dtype(self.value_dtype))

    def check(self, keys: Any, values: Any = None, gives_values: bool = False) -> None:
        """Raises InvalidArgumentError if key or value dtypes differ from the table's dtypes."""
        if values is not None and self._have_table_dtypes(keys, values):
            return
        dtype_names = (
            [_value_name(keys)] if values is None else [_value_name(keys), _value_name(values)]
        )
        expected = [self.key_dtype.name, self.value_dtype.name][: len(dtype_names)]
        if dtype_names != expected:
            have, want = (
                ", ".join(["resource", *names]) + "->" + (names[1] if gives_values else "")
                for names in map(_c_names, (dtype_names, expected))
            )
            invalid(f"Signature mismatch, have: {have} expected: {want}")

    def _have_table_dtypes(self, keys: Any, values: Any) -> bool:
        """Whether keys and values have the dtypes of the table; strings may be subclasses of bytes."""
        dtypes = getattr(keys, "dtype", None), getattr(values, "dtype", None)
        return dtypes == (self._key_array, self._value_array)

    def find(self, keys: Any, default: Any) -> Any:
        """Returns the value of each key, or `default` for missing keys."""
        self.check(keys, default, gives_values=True)
        if array_shape(default) != self.value_shape:
            invalid(
                f"Expected shape {shape_text(self.value_shape)} for default value, got "
                f"{shape_text(array_shape(default))}"
            )
        if not self.is_filled:
            raise FailedPreconditionError(None, None, "Table not initialized.")
        keys = dense(keys)
        with self._reading:
            positions = self._index.find(keys.ravel())
            if positions.size > len(self._values) and self._value_array.kind != "O":
                # The position of missing keys, -1, is the last one.
                values = np.concatenate([self._values, default[None]]).take(positions, 0)
            else:
                values = self._values.take(positions, 0, mode="clip")
                is_missing = positions < 0
                if np.count_nonzero(is_missing):
                    values[is_missing] = default
        return unwrap_string(values.reshape((*keys.shape, *self.value_shape)))

    def check_shapes(self, keys: Any, values: Any) -> None:
        want = (*array_shape(keys), *self.value_shape)
        if array_shape(values) != want:
            invalid(
                f"Expected shape {shape_text(want)} for value, got {shape_text(array_shape(values))}"
            )

    def fill(self, keys: Any, values: Any) -> None:
        """Fills the table from vectors; if it is already filled, only compares the number of keys."""
        keys = np.asarray(keys, array_dtype(self.key_dtype))
        values = np.asarray(values, array_dtype(self.value_dtype))
        with self.lock:
            if self.is_filled:
                if len(keys) != len(self._index):
                    text = "Table was already initialized with different data."
                    raise FailedPreconditionError(None, None, text)
                return
            positions = self._assign(keys, values)
            if (self._values[positions] != values).any():
                self._clear_keys()
                _check_no_conflicting_values(keys, values)
            self.is_filled = True

    def _assign(self, keys: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Sets the values of keys, using the last value of a repeated key; returns the positions."""
        positions = self._index.add(keys)
        if self._index.capacity > len(self._values):
            old_values, self._values = self._values, self._room_for(self._index.capacity)
            self._values[: len(old_values)] = old_values
        self._values[positions] = values
        return positions

    def insert(self, keys: Any, values: Any, replaces_all: bool = False) -> None:
        """Inserts keys and values; `replaces_all`: whether to remove all other keys."""
        self.check(keys, values)
        self.check_shapes(keys, values)
        keys = dense(keys).ravel()
        values = dense(values).reshape(-1, *self.value_shape)
        if not self.is_mutable:
            if replaces_all:
                if not keys.size:
                    invalid("keys and values cannot be empty tensors.")
                self.fill(keys, values)
                return
            self._raise_unsupported("Insert")
        with self.lock:
            if replaces_all:
                self._clear_keys()
            self._assign(keys, values)

    def initialize(self, keys: Any, values: Any) -> None:
        """Fills the table; raises InvalidArgumentError if it is mutable."""
        self.check_initializable()
        self.check(keys, values)
        for argument, vector_of in (("Keys", keys), ("Values", values)):
            if len(array_shape(vector_of)) != 1:
                shape = shape_text(array_shape(vector_of))
                invalid(f"{argument} must be a vector, but received shape{shape}")
        if len(keys) != len(values):
            invalid(f"Keys and values must have the same size {len(keys)} vs {len(values)}")
        self.insert(keys, values, replaces_all=True)

    def check_initializable(self) -> None:
        if self.is_mutable:
            invalid(f"Table {self.name} is not initializable")

    def _raise_unsupported(self, action: str) -> None:
        text = f"{action} not supported by InitializableLookupTable implementations"
        raise UnimplementedError(None, None, text)

    def size(self) -> int:
        return len(self._index)

    def remove(self, keys: Any) -> None:
        if not self.is_mutable:
            self._raise_unsupported("Remove")
        with self.lock:
            self._index.remove(dense(keys).ravel())

    def export(self) -> tuple:
        """Returns all keys and their values."""
        if not self.is_filled:
            raise AbortedError(None, None, "HashTable is not initialized.")
        with self.lock:
            keys, values = self._index.keys(), self._values[self._index.positions()]
        return keys.astype(array_dtype(self.key_dtype), copy=False), values


def _value_name(value: Any) -> str:
    if value.__class__ is bytes or value.dtype == object:
        return "string"
    return dtypes.as_dtype(value.dtype).name


def _c_names(names: list[str]) -> list[str]:
    return [{"float32": "float", "float64": "double"}.get(name, name) for name in names]


def _check_no_conflicting_values(keys: np.ndarray, values: np.ndarray) -> None:
    """Raises FailedPreconditionError if a key is repeated with a different value."""
    seen: dict[Any, Any] = {}
    for key, value in zip(keys.tolist(), values.tolist()):
        if seen.setdefault(key, value) != value:
            raise FailedPreconditionError(
                None,
                None,
                f"HashTable has different value for same key. Key {format_value(key)} has "
                f"{format_value(seen[key])} and trying to add value {format_value(value)}",
            )
