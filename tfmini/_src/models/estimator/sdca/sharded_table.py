"""A dense hash table in shards; the first word of a key, modulo the shard count, selects the shard."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import dimension_value
from tfmini._src.data.lookup_tables.dense_hash_table import DenseHashTable
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops

NAME = "ShardedMutableHashTable"


class ShardedTable:
    """A sharded table from int64 keys of two words to float vectors.

    Args:
      table_class: table class.
      default_value: value of missing keys.
      num_shards: number of tables.
    """

    def __init__(
        self, table_class: type[DenseHashTable], default_value: list[float], num_shards: int
    ):
        with name_scope(NAME, "sharded_mutable_hash_table"):
            self._shards = [
                table_class(
                    key_dtype=dtypes.int64,
                    value_dtype=dtypes.float32,
                    default_value=default_value,
                    empty_key=[0, 0],  # id fingerprints never begin with 0 or 1
                    deleted_key=[1, 1],
                    name=f"{NAME}-{index}-of-{num_shards}",
                )
                for index in range(1, num_shards + 1)
            ]
        self._width = len(default_value)

    def size(self) -> Tensor:
        """Returns the number of keys, a scalar int64."""
        with name_scope(None, "sharded_mutable_hash_table_size"):
            return ops.add_n([shard.size() for shard in self._shards])

    def _check(self, keys: Tensor) -> None:
        """Raises ValueError if the keys do not have shape [n, 2]."""

    def _rows(self, keys: Tensor) -> Any:
        """Returns the number of rows, or -1 if unknown, to which keys are reshaped."""
        return -1

    def _count(self, keys: Tensor) -> Any:
        """Returns the number of given keys."""
        return ops.shape(keys)[0]

    def _shard_indices(self, keys: Tensor) -> Tensor:
        """Returns the shard index of each key."""
        first = ops.reshape(ops.slice(keys, [0, 0], [self._rows(keys), 1]), [-1])
        shards = ops.mod(ops.abs(first), len(self._shards))
        return ops.cast(shards, dtypes.int32)

    def lookup(self, keys: Tensor) -> Tensor:
        """Returns the vectors stored under `keys`, shape [n, 2]."""
        self._check(keys)
        if len(self._shards) == 1:
            return self._shards[0].lookup(keys)
        count, shards = len(self._shards), self._shard_indices(keys)
        parts = ops.dynamic_partition(keys, shards, count)
        vectors = [shard.lookup(part) for shard, part in zip(self._shards, parts)]
        order = ops.range(self._count(keys))
        return ops.dynamic_stitch(ops.dynamic_partition(order, shards, count), vectors)

    def insert(self, keys: Tensor, values: Tensor) -> Any:
        """Returns the operation that stores vectors under keys [n, 2]."""
        self._check(keys)
        if len(self._shards) == 1:
            return self._shards[0].insert(keys, values)
        count, shards = len(self._shards), self._shard_indices(keys)
        keys_by_shard = ops.dynamic_partition(keys, shards, count)
        values_by_shard = ops.dynamic_partition(values, shards, count)
        parts = zip(self._shards, keys_by_shard, values_by_shard)
        return ops.group(*[shard.insert(key, value) for shard, key, value in parts])

    def exported_values(self) -> list[Tensor]:
        """Returns the vectors of each shard, including empty buckets."""
        return [values for _, values in [shard.export() for shard in self._shards]]


class OlderTable(ShardedTable):
    """The table of `tf.contrib.linear_optimizer`, which requires a static number of keys."""

    def _check(self, keys: Tensor) -> None:
        shape = keys.get_shape()
        if not shape.is_fully_defined():
            raise ValueError(f"Key shape must be fully defined, got {shape}.")

    def _rows(self, keys: Tensor) -> Any:
        return dimension_value(keys.get_shape()[0])

    def _count(self, keys: Tensor) -> Any:
        return keys.get_shape()[0]

    def lookup(self, keys: Tensor) -> Tensor:
        vectors = super().lookup(keys)
        vectors.set_shape([self._rows(keys), self._width])
        return vectors
