"""Dense tables, which store keys and values in arrays of buckets found by hash and quadratic probing.

Exports and checkpoints contain these arrays including empty buckets, so keys are in the same buckets as in TensorFlow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import scalar, with_rank_at_most
from tfmini._src.graph.tensor import format_shape
from tfmini._src.ops.lookup.buckets import buckets_for
from tfmini._src.ops.lookup.hash_table import find_or_create_table
from tfmini._src.ops.lookup.table import Table
from tfmini._src.ops.operands import dense, shape_text, unwrap_string
from tfmini._src.ops.string.string_elements import array_shape


class DenseTable(Table):
    """A table with a power-of-two number of buckets, in which two reserved keys mark empty and deleted buckets."""

    def __init__(self, attrs: dict, empty: Any, deleted: Any):
        value_shape = tuple(attrs["value_shape"] or ())
        if None in value_shape:
            invalid(f"Shape {format_shape(value_shape)} is not fully defined")
        super().__init__(attrs["key_dtype"], attrs["value_dtype"], value_shape, True)
        if array_shape(empty) != array_shape(deleted):
            invalid(
                "Empty and deleted keys must have same shape, got shapes: "
                f"{shape_text(array_shape(empty))} and {shape_text(array_shape(deleted))}"
            )
        buckets = attrs["initial_num_buckets"]
        if buckets < 4 or buckets & (buckets - 1):
            invalid(f"Number of buckets must be at least 4 and a power of 2, got: {buckets}")
        self.key_shape = array_shape(empty)
        self._load = attrs["max_load_factor"]
        if not 0 < self._load < 1:
            invalid(f"max_load_factor must be between 0 and 1, got: {self._load:g}")
        self._empty, self._deleted = (self._reshape_keys(key)[0] for key in (empty, deleted))
        if (self._empty == self._deleted).all():
            invalid("Empty and deleted keys cannot be equal")
        self._clear(buckets)

    def size(self) -> int:
        return self._count

    def _clear(self, buckets: int) -> None:
        self._count = 0
        self._set_buckets(np.tile(self._empty, (buckets, 1)))
        size = int(np.prod(self.value_shape))
        self._values = np.zeros((buckets, size), self.value_dtype.as_numpy_dtype)

    def _set_buckets(self, keys: np.ndarray) -> None:
        self._buckets = buckets_for(self.key_dtype, keys, self._empty, self._deleted)

    def _reshape_keys(self, keys: Any) -> np.ndarray:
        """Reshapes keys to a matrix with one row per key."""
        shape = array_shape(keys)
        rank = len(self.key_shape)
        if shape[len(shape) - rank :] != self.key_shape:
            invalid(
                f"Input key shape {shape_text(shape)} must end with the table's key shape "
                f"{shape_text(self.key_shape)}"
            )
        count = int(np.prod(shape[: len(shape) - rank]))
        return dense(keys).reshape(count, int(np.prod(self.key_shape)))

    def _key_rows(self, keys: Any) -> np.ndarray:
        rows = self._reshape_keys(keys)
        shape = array_shape(keys)
        batch = shape[0] if shape else 1
        if len(rows) != batch:
            expected = shape_text((batch, *self.key_shape))
            invalid(f"Expected key shape {expected} got {shape_text(shape)}")
        return rows

    def _reserved_rows(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns bool masks of the rows equal to the empty key and of the rows equal to the deleted key."""
        return (rows == self._empty).all(1), (rows == self._deleted).all(1)

    def _valid(self, rows: np.ndarray) -> int:
        """Returns the number of keys before the first reserved key."""
        indices = np.flatnonzero(np.logical_or(*self._reserved_rows(rows)))
        return int(indices[0]) if indices.size else len(rows)

    def _check_next(self, rows: np.ndarray, valid: int) -> None:
        """Raises InvalidArgumentError if the next key is reserved; preceding changes remain in effect."""
        if valid < len(rows):
            is_empty = (rows[valid] == self._empty).all()
            name = "empty_key" if is_empty else "deleted_key"
            invalid(f"Using the {name} as a table key is not allowed")

    def find(self, keys: Any, default: Any) -> Any:
        self.check(keys, default, gives_values=True)
        if array_shape(default) != self.value_shape:
            invalid(
                f"Expected shape {shape_text(self.value_shape)} for default value, got "
                f"{shape_text(array_shape(default))}"
            )
        with self.lock:
            rows = self._key_rows(keys)
            self._check_next(rows, self._valid(rows))
            positions = self._buckets.find(rows)
            values = self._values.take(positions, 0, mode="clip")  # index -1 reads the first value
        is_missing = positions < 0
        if is_missing.any():
            values[is_missing] = dense(default).reshape(-1)
        prefix = array_shape(keys)[: len(array_shape(keys)) - len(self.key_shape)]
        return unwrap_string(values.reshape(*prefix, *self.value_shape))

    def _check_values(self, keys: Any, values: Any) -> None:
        shape = array_shape(keys)
        want = (*shape[: len(shape) - len(self.key_shape)], *self.value_shape)
        if array_shape(values) != want:
            invalid(
                f"Expected shape {shape_text(want)} for value, got {shape_text(array_shape(values))}"
            )

    def insert(self, keys: Any, values: Any, replaces_all: bool = False) -> None:
        self.check(keys, values)
        if replaces_all:
            self._import(dense(keys), dense(values))
            return
        self._reshape_keys(keys)
        self._check_values(keys, values)
        with self.lock:
            rows = self._key_rows(keys)
            self._make_room(len(rows))
            valid = self._valid(rows)
            reshaped = dense(values).reshape(len(rows), self._values.shape[1])
            self._put(rows[:valid], reshaped[:valid])
            self._check_next(rows, valid)

    def _put(self, keys: np.ndarray, values: np.ndarray) -> None:
        positions, added_count = self._buckets.put(keys)
        self._count += added_count
        self._values[positions] = values  # for repeated keys, the last value wins

    def _make_room(self, new_count: int) -> None:
        """Doubles the number of buckets until `new_count` keys fit below the maximum load factor."""
        capacity = len(self._values)
        buckets = capacity
        while self._count + new_count > buckets * self._load:
            buckets *= 2
        if buckets > capacity:
            keys, values = self._buckets.keys(), self._values
            is_used = ~np.logical_or(*self._reserved_rows(keys))
            self._clear(buckets)
            self._put(keys[is_used], values[is_used])

    def _import(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Loads the bucket arrays that `export` returns."""
        buckets = len(keys)
        rows = keys.reshape(buckets, -1)
        with self.lock:
            self._set_buckets(rows)
            self._values = values.reshape(buckets, -1).copy()
            self._count = buckets - int(np.count_nonzero(np.logical_or(*self._reserved_rows(rows))))

    def remove(self, keys: Any) -> None:
        with self.lock:
            rows = self._key_rows(keys)
            valid = self._valid(rows)
            positions = self._buckets.find(rows[:valid])
            positions = np.unique(positions[positions >= 0])
            self._count -= len(positions)
            self._buckets.delete(positions)
            self._check_next(rows, valid)

    def export(self) -> tuple:
        """Returns all buckets as [buckets, key size] keys and [buckets, value size] values."""
        with self.lock:
            return self._buckets.keys(), self._values.copy()


@op(
    "MutableDenseHashTableV2",
    "empty_key: key_dtype, deleted_key: key_dtype -> table_handle: resource",
    differentiable=False,
    stateful=True,
    container="",
    shared_name="",
    use_node_name_sharing=False,
    key_dtype=Attr("type"),
    value_dtype=Attr("type"),
    value_shape=Attr("shape", []),
    initial_num_buckets=131072,
    max_load_factor=0.800000011920929,
)
def mutable_dense_hash_table_v2_op(ctx, empty_key, deleted_key):
    return find_or_create_table(ctx, lambda: DenseTable(ctx.op.attrs, empty_key, deleted_key))


@mutable_dense_hash_table_v2_op.infer
def _(op):
    for key in op.inputs:
        with_rank_at_most(key._dims, 1)
    return scalar(op)
