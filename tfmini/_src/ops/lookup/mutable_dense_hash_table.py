"""Dense tables: keys and values in arrays of buckets, found by their hashes and quadratic probing.

Exports and checkpoints hold these arrays, empty buckets included, so buckets are placed as in TensorFlow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.numpy.siphash_murmur import murmur_hashes
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import scalar, with_rank_at_most
from tfmini._src.graph.tensor import brackets
from tfmini._src.ops.lookup.hash_table import named_table
from tfmini._src.ops.lookup.table import Table
from tfmini._src.ops.operands import bare, dense, shape_text
from tfmini._src.ops.string.string_elements import shape_of

_WORD = (1 << 64) - 1


class DenseTable(Table):
    """A table with a power-of-two number of buckets; two reserved keys mark empty and deleted buckets."""

    def __init__(self, attrs: dict, empty: Any, deleted: Any):
        value_shape = tuple(attrs["value_shape"] or ())
        if None in value_shape:
            invalid(f"Shape {brackets(value_shape)} is not fully defined")
        super().__init__(attrs["key_dtype"], attrs["value_dtype"], value_shape, True)
        if shape_of(empty) != shape_of(deleted):
            invalid(
                "Empty and deleted keys must have same shape, got shapes: "
                f"{shape_text(shape_of(empty))} and {shape_text(shape_of(deleted))}"
            )
        buckets = attrs["initial_num_buckets"]
        if buckets < 4 or buckets & (buckets - 1):
            invalid(f"Number of buckets must be at least 4 and a power of 2, got: {buckets}")
        self.key_shape = shape_of(empty)
        self._load = attrs["max_load_factor"]
        if not 0 < self._load < 1:
            invalid(f"max_load_factor must be between 0 and 1, got: {self._load:g}")
        self._empty, self._deleted = (self._keys_of(key)[0] for key in (empty, deleted))
        if self._empty == self._deleted:
            invalid("Empty and deleted keys cannot be equal")
        self._clear(buckets)

    def size(self) -> int:
        return self._count

    def _clear(self, buckets: int) -> None:
        self._count = 0
        self._keys = [self._empty] * buckets
        self._values = np.zeros((buckets, int(np.prod(self.value_shape))), self._value_kind())

    def _value_kind(self) -> Any:
        return self.value_dtype.as_numpy_dtype

    def _keys_of(self, keys: Any) -> list[tuple]:
        """Each key as the tuple of its elements."""
        shape = shape_of(keys)
        rank = len(self.key_shape)
        if shape[len(shape) - rank :] != self.key_shape:
            invalid(
                f"Input key shape {shape_text(shape)} must end with the table's key shape "
                f"{shape_text(self.key_shape)}"
            )
        count = int(np.prod(shape[: len(shape) - rank]))
        width = int(np.prod(self.key_shape))
        return [tuple(key) for key in dense(keys).reshape(count, width).tolist()]

    def _asked(self, keys: Any) -> list[tuple]:
        asked = self._keys_of(keys)
        shape = shape_of(keys)
        batch = shape[0] if shape else 1
        if len(asked) != batch:
            wanted = shape_text((batch, *self.key_shape))
            invalid(f"Expected key shape {wanted} got {shape_text(shape)}")
        return asked

    def _check_key(self, key: tuple) -> None:
        """Raises InvalidArgumentError for a reserved key; preceding changes are kept."""
        for reserved, name in ((self._empty, "empty_key"), (self._deleted, "deleted_key")):
            if key == reserved:
                invalid(f"Using the {name} as a table key is not allowed")

    def _hash(self, key: tuple) -> int:
        if self.key_dtype is dtypes.string:
            hashes = [int(value) for value in murmur_hashes(np.array(key, object))]
        else:
            hashes = [int(value) & _WORD for value in key]
        if len(hashes) == 1:
            return hashes[0]
        result = 0
        for value in hashes:
            mixed = value + 0x9E3779B97F4A7800 + (result << 10) + (result >> 4)
            result ^= mixed & _WORD
        return result

    def _probe(self, key: tuple, stops: tuple) -> tuple[int, bool]:
        """The bucket of a key and True, or else the first bucket that holds one of `stops` and False."""
        mask = len(self._keys) - 1
        place = self._hash(key) & mask
        for step in range(1, len(self._keys) + 1):
            held = self._keys[place]
            if held == key:
                return place, True
            if held in stops:
                return place, False
            place = (place + step) & mask
        return -1, False

    def find(self, keys: Any, default: Any) -> Any:
        self.check(keys, default, gives_values=True)
        if shape_of(default) != self.value_shape:
            invalid(
                f"Expected shape {shape_text(self.value_shape)} for default value, got "
                f"{shape_text(shape_of(default))}"
            )
        with self.lock:
            asked = self._asked(keys)
            for key in asked:
                self._check_key(key)
            probes = [self._probe(key, (self._empty,)) for key in asked]
            places = np.array([place for place, _ in probes], np.int64)
            found = self._values[places]
            found[[not is_there for _, is_there in probes]] = dense(default).reshape(-1)
        prefix = shape_of(keys)[: len(shape_of(keys)) - len(self.key_shape)]
        return bare(found.reshape(*prefix, *self.value_shape))

    def _check_values(self, keys: Any, values: Any) -> None:
        shape = shape_of(keys)
        want = (*shape[: len(shape) - len(self.key_shape)], *self.value_shape)
        if shape_of(values) != want:
            invalid(
                f"Expected shape {shape_text(want)} for value, got {shape_text(shape_of(values))}"
            )

    def insert(self, keys: Any, values: Any, is_whole: bool = False) -> None:
        self.check(keys, values)
        if is_whole:
            self._import(dense(keys), dense(values))
            return
        self._keys_of(keys)
        self._check_values(keys, values)
        with self.lock:
            asked = self._asked(keys)
            self._make_room(len(asked))
            for key, value in zip(asked, dense(values).reshape(len(asked), self._values.shape[1])):
                self._check_key(key)
                self._put(key, value)

    def _put(self, key: tuple, value: Any) -> None:
        place, is_there = self._probe(key, (self._empty, self._deleted))
        self._count += not is_there
        self._keys[place] = key
        self._values[place] = value

    def _make_room(self, more: int) -> None:
        """Doubles the buckets until `more` keys fit under the maximum load factor."""
        buckets = len(self._keys)
        while self._count + more > buckets * self._load:
            buckets *= 2
        if buckets > len(self._keys):
            old, values = self._keys, self._values
            self._clear(buckets)
            for key, value in zip(old, values):
                if key not in (self._empty, self._deleted):
                    self._put(key, value)

    def _import(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Loads the bucket arrays returned by `export`."""
        buckets = len(keys)
        listed = [tuple(key) for key in keys.reshape(buckets, -1).tolist()]
        with self.lock:
            self._keys = listed
            self._values = values.reshape(buckets, -1).copy()
            reserved = (self._empty, self._deleted)
            self._count = sum(key not in reserved for key in listed)

    def remove(self, keys: Any) -> None:
        with self.lock:
            for key in self._asked(keys):
                self._check_key(key)
                place, is_there = self._probe(key, (self._empty,))
                if is_there:
                    self._count -= 1
                    self._keys[place] = self._deleted

    def export(self) -> tuple:
        """All buckets: [buckets, key size] keys and [buckets, value size] values."""
        with self.lock:
            kind = object if self.key_dtype is dtypes.string else self.key_dtype.as_numpy_dtype
            keys = np.empty((len(self._keys), len(self._empty)), kind)
            keys[:] = self._keys
            return keys, self._values.copy()


@op(
    "MutableDenseHashTableV2",
    "empty_key: key_dtype, deleted_key: key_dtype -> table_handle: resource",
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
    return named_table(ctx, lambda: DenseTable(ctx.op.attrs, empty_key, deleted_key))


@mutable_dense_hash_table_v2_op.infer
def _(op):
    for key in op.inputs:
        with_rank_at_most(key._dims, 1)
    return scalar(op)


mutable_dense_hash_table_v2_op.not_differentiable()
