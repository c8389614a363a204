"""Lookup tables of states."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import assert_same_structure, flatten, pack_sequence_as
from tfmini._src.data.lookup_tables.dense_hash_table import DenseHashTable
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


class TensorValuedMutableDenseHashTable(DenseHashTable):
    """Hash table with tensor values of any rank, and keys of any shape.

    Args:
      key_dtype, value_dtype, empty_key, deleted_key, name, checkpoint: as in `tf.contrib.lookup.MutableDenseHashTable`.
      default_value: value for missing keys; determines the shape of all values.
    """

    def __init__(
        self, key_dtype: Any, value_dtype: Any, default_value: Any, *args: Any, **kwargs: Any
    ):
        self._default_shape = ops.shape(default_value)
        vector = ops.reshape(default_value, [-1])
        super().__init__(key_dtype, value_dtype, vector, *args, **kwargs)

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Any:
        """Returns an operation that inserts values [..., *shape] under keys [...]."""
        keys = ops.convert_to_tensor(keys, dtype=self._key_dtype)
        flat = ops.reshape(keys, [-1])
        vectors = ops.reshape(values, [ops.shape(flat)[0], -1])
        return super().insert(flat, vectors, name)

    def lookup(self, keys: Any, name: str | None = None) -> Tensor:
        """Returns the values [..., *shape] for keys [...]."""
        flat = ops.reshape(ops.convert_to_tensor(keys, dtype=self._key_dtype), [-1])
        flat_values = super().lookup(flat, name)
        return ops.reshape(flat_values, ops.concat([ops.shape(keys), self._default_shape], 0))


class TupleOfTensorsLookup:
    """Tables that store the parts of nested tuples under the same keys.

    Args:
      key_dtype: the dtype of the keys.
      default_values: the result for missing keys, a nested tuple of tensors.
      empty_key, deleted_key: keys that mark empty and deleted buckets.
      name: prefix of the table names.
      checkpoint: whether checkpoints include them.
    """

    def __init__(
        self,
        key_dtype: Any,
        default_values: Any,
        empty_key: int,
        deleted_key: int,
        name: str,
        checkpoint: bool = True,
    ):
        tables = [
            TensorValuedMutableDenseHashTable(
                key_dtype=key_dtype,
                value_dtype=default.dtype.base_dtype,
                default_value=default,
                empty_key=empty_key,
                deleted_key=deleted_key,
                name=f"{name}_{index}",
                checkpoint=checkpoint,
            )
            for index, default in enumerate(flatten(default_values))
        ]
        self._tables = pack_sequence_as(default_values, tables)

    def lookup(self, keys: Any) -> Any:
        """Looks up keys of shape [...], and returns a nested tuple of tensors [..., *shape]."""
        return pack_sequence_as(self._tables, [t.lookup(keys) for t in flatten(self._tables)])

    def insert(self, keys: Any, values: Any) -> Any:
        """Returns an operation that inserts a nested tuple of values [..., *shape] under keys [...] together."""
        assert_same_structure(self._tables, values)
        flat = [ops.identity(value) for value in flatten(values)]
        with control_dependencies(flat):
            insert_ops = [t.insert(keys, v) for t, v in zip(flatten(self._tables), flat)]
        return ops.group(*insert_ops)
