"""Mutable tables of buckets."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.data.lookup_tables.mutable_hash_table import MutableHashTable, SaveableTable
from tfmini._src.data.lookup_tables.static_hash_table import (
    LookupInterface,
    name_of_table,
    shape_of_values,
    table_shared_name,
)
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops, raw


class DenseHashTable(MutableHashTable):
    """A mutable table that stores keys and values in two tensors.

        table = tf.lookup.experimental.DenseHashTable(
            tf.int64, tf.int64, default_value=-1, empty_key=0, deleted_key=-1)
        session.run(table.insert(keys, values))

    Args:
      key_dtype: the dtype of the keys.
      value_dtype: the dtype of the values.
      default_value: value for missing keys, a scalar or a tensor with the shape of the values.
      empty_key: the key that marks an empty bucket, a scalar or vector; it determines the shape of keys.
      deleted_key: the key that marks the bucket of a removed entry. Neither key may be inserted, removed or looked up.
      initial_num_buckets: initial number of buckets, a power of 2; by default 131,072.
      name: the name of the node.
      checkpoint: whether to save the contents in checkpoints.

    Raises:
      InvalidArgumentError: at run time, for a reserved key.
    """

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: TensorLike,
        empty_key: TensorLike,
        deleted_key: TensorLike,
        initial_num_buckets: int | None = None,
        name: str = "MutableDenseHashTable",
        checkpoint: bool = True,
    ):
        self._default_value = ops.convert_to_tensor(
            default_value, dtype=value_dtype, name="default_value"
        )
        self._value_shape = self._default_value.shape
        self._checkpoint = checkpoint
        self._name = name
        empty = ops.convert_to_tensor(empty_key, dtype=key_dtype, name="empty_key")
        deleted = ops.convert_to_tensor(deleted_key, dtype=key_dtype, name="deleted_key")
        LookupInterface.__init__(self, key_dtype, value_dtype)
        self._resource_handle = raw.MutableDenseHashTableV2(
            empty,
            deleted,
            shared_name=table_shared_name(None),
            use_node_name_sharing=checkpoint,
            value_dtype=value_dtype,
            value_shape=shape_of_values(self._default_value),
            initial_num_buckets=131072 if initial_num_buckets is None else initial_num_buckets,
            name=name,
        )
        self._table_name = name_of_table(self._resource_handle)
        if checkpoint and not executing_eagerly():
            add_to_collection(GraphKeys.SAVEABLE_OBJECTS, self._saveable(name))

    def _saveable(self, name: str) -> SaveableTable:
        return SaveableTable(self, name)

    def insert_or_assign(
        self, keys: TensorLike, values: TensorLike, name: str | None = None
    ) -> Any:
        """Returns an operation that inserts or overwrites keys."""
        return super().insert(keys, values, name)

    def insert(self, keys: TensorLike, values: TensorLike, name: str | None = None) -> Any:
        """Returns an operation that inserts or overwrites keys."""
        return self.insert_or_assign(keys, values, name)

    def erase(self, keys: TensorLike, name: str | None = None) -> Any:
        """Returns an operation that removes keys; missing keys are ignored.

        Raises:
          TypeError: if `keys` has a different dtype than the table.
        """
        return super().remove(keys, name)

    def remove(self, keys: TensorLike, name: str | None = None) -> Any:
        """Alias of `erase`."""
        return self.erase(keys, name)
