"""Tables modified by graph operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.data.lookup_tables.static_hash_table import (
    LookupInterface,
    name_of_table,
    shape_of_values,
    table_shared_name,
)
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import colocate_with, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.variables.saveable import SaveableObject, SaveSpec


class SaveableTable(SaveableObject):
    """Saveable of a table, with all keys and values."""

    def __init__(self, table: MutableHashTable, name: str):
        keys, values = table.export()
        specs = [SaveSpec(keys, "", name + "-keys"), SaveSpec(values, "", name + "-values")]
        super().__init__(table, specs, name)

    def restore(
        self, restored_tensors: Sequence[Tensor], restored_shapes: Any, name: str | None = None
    ) -> Any:
        """Returns the operation that restores the contents of the table."""
        with name_scope(name, f"{self.name}_table_restore"):
            with colocate_with(self.op.resource_handle):
                return raw.LookupTableImportV2(
                    self.op.resource_handle, restored_tensors[0], restored_tensors[1]
                )


class MutableHashTable(LookupInterface):
    """A table modified by graph operations.

    Args:
      key_dtype, value_dtype: the dtypes of keys and values.
      default_value: value for missing keys, a scalar or a tensor with the shape of the values.
      name: the name of the node.
      checkpoint: whether to save the contents in checkpoints.

    Example:
      table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1)
      session.run(table.insert(tf.constant(["a"]), tf.constant([1], tf.int64)))
    """

    name: Any = read_only("Last component of the table node's name.", "_table_name")

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: TensorLike,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
    ):
        self._default_value = ops.convert_to_tensor(default_value, dtype=value_dtype)
        self._value_shape = self._default_value.shape
        self._checkpoint = checkpoint
        self._name = name
        self._table_name: str | None = None
        super().__init__(key_dtype, value_dtype)
        self._resource_handle = self._create_resource()
        if checkpoint and not executing_eagerly():
            add_to_collection(GraphKeys.SAVEABLE_OBJECTS, SaveableTable(self, name))

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        def saveable(name: str = self._name) -> SaveableTable:
            return SaveableTable(self, name)

        return {"table": saveable}

    def _create_resource(self) -> Any:
        attrs: dict[str, Any] = {
            "shared_name": table_shared_name(None),
            "use_node_name_sharing": self._checkpoint,
            "key_dtype": self._key_dtype,
            "value_dtype": self._value_dtype,
            "name": self._name,
        }
        if self._value_shape.ndims == 0:
            handle = raw.MutableHashTableV2(**attrs)
        else:
            shape = shape_of_values(self._default_value)
            handle = raw.MutableHashTableOfTensorsV2(value_shape=shape, **attrs)
        self._table_name = name_of_table(handle)
        return handle

    def size(self, name: str | None = None) -> Tensor:
        """Returns the number of keys in the table, a scalar int64 Tensor."""
        with name_scope(name, f"{self.name}_Size", [self.resource_handle]):
            with colocate_with(self.resource_handle):
                return raw.LookupTableSizeV2(self.resource_handle)

    def remove(self, keys: Any, name: str | None = None) -> Any:
        """Returns an operation that removes keys; missing keys are ignored.

        Raises:
          TypeError: if `keys` is of another dtype.
        """
        if keys.dtype != self._key_dtype:
            raise TypeError(
                f"Signature mismatch. Keys must be dtype {self._key_dtype}, got {keys.dtype}."
            )
        used = (self.resource_handle, keys, self._default_value)
        with name_scope(name, f"{self.name}_lookup_table_remove", used):
            return raw.LookupTableRemoveV2(self.resource_handle, keys)

    def lookup(self, keys: TensorLike, name: str | None = None) -> Tensor:
        """Returns the value of each key, or the default value for missing keys."""
        used = (self.resource_handle, keys, self._default_value)
        with name_scope(name, f"{self.name}_lookup_table_find", used):
            keys = ops.convert_to_tensor(keys, dtype=self._key_dtype, name="keys")
            with colocate_with(self.resource_handle):
                return raw.LookupTableFindV2(self.resource_handle, keys, self._default_value)

    def insert(self, keys: TensorLike, values: TensorLike, name: str | None = None) -> Any:
        """Returns an operation that inserts or overwrites keys."""
        used = [self.resource_handle, keys, values]
        with name_scope(name, f"{self.name}_lookup_table_insert", used):
            keys = ops.convert_to_tensor(keys, self._key_dtype, name="keys")
            values = ops.convert_to_tensor(values, self._value_dtype, name="values")
            with colocate_with(self.resource_handle):
                return raw.LookupTableInsertV2(self.resource_handle, keys, values)

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """Returns all keys, [n], and their values, in arbitrary order."""
        used = [self.resource_handle]
        with name_scope(name, f"{self.name}_lookup_table_export_values", used):
            with colocate_with(self.resource_handle):
                keys, values = raw.LookupTableExportV2(
                    self.resource_handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype
                )
        return keys, values
