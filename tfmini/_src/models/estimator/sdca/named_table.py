"""A dense hash table with nodes named after their scopes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.data.lookup_tables.dense_hash_table import DenseHashTable
from tfmini._src.data.lookup_tables.mutable_hash_table import SaveableTable
from tfmini._src.graph.scopes import colocate_with, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops, raw


class _Saveable(SaveableTable):
    def restore(
        self, restored_tensors: Sequence[Tensor], restored_shapes: Any, name: str | None = None
    ) -> Any:
        handle = self.op.resource_handle
        with colocate_with(handle):
            return raw.LookupTableImportV2(handle, restored_tensors[0], restored_tensors[1])


class NamedTable(DenseHashTable):
    """`tf.lookup.experimental.DenseHashTable` whose node names are derived from its scope."""

    def _saveable(self, name: str) -> SaveableTable:
        return _Saveable(self, name)

    def _node(self, name: str | None, suffix: str, inputs: list, add: Callable) -> Any:
        handle = self.resource_handle
        with name_scope(name, f"{self.name}_{suffix}", [handle, *inputs]) as scope:
            dtypes = self._key_dtype, self._value_dtype
            names = ("keys", "values")
            tensors = [
                ops.convert_to_tensor(value, dtype=dtype, name=key)
                for value, dtype, key in zip(inputs, dtypes, names)
            ]
            with colocate_with(handle):
                return add(handle, *tensors, name=scope)

    def size(self, name: str | None = None) -> Tensor:
        return self._node(name, "Size", [], raw.LookupTableSizeV2)

    def lookup(self, keys: Any, name: str | None = None) -> Tensor:
        def lookup(handle: Any, keys: Any, name: str) -> Tensor:
            return raw.LookupTableFindV2(handle, keys, self._default_value, name=name)

        return self._node(name, "lookup_table_find", [keys], lookup)

    def insert(self, keys: Any, values: Any, name: str | None = None) -> Any:
        return self._node(name, "lookup_table_insert", [keys, values], raw.LookupTableInsertV2)

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        def export(handle: Any, name: str) -> Any:
            return raw.LookupTableExportV2(
                handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype, name=name
            )

        return self._node(name, "lookup_table_export_values", [], export)
