"""Immutable tables, which an initializer fills."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.variables.capturable_resource import TrackableResource
from tfmini._src.variables.init_scope import init_scope

if TYPE_CHECKING:
    from tfmini._src.data.lookup_tables.initializers import TableInitializerBase


class LookupInterface(TrackableResource):
    """Base class of tables: dtypes, size and lookup.

    Args:
      key_dtype: the dtype of the keys.
      value_dtype: the dtype of the values.
    """

    key_dtype: Any = read_only("The dtype of the keys.")
    value_dtype: Any = read_only("The dtype of the values.")

    def __init__(self, key_dtype: DTypeLike, value_dtype: DTypeLike):
        self._key_dtype = dtypes.as_dtype(key_dtype)
        self._value_dtype = dtypes.as_dtype(value_dtype)
        super().__init__()

    @property
    def name(self) -> Any:
        """The name of the table."""
        return NotImplementedError

    def size(self, name: str | None = None) -> Tensor:
        """Returns the number of keys in the table, a scalar int64 Tensor."""
        raise NotImplementedError

    def lookup(self, keys: TensorLike, name: str | None = None) -> Any:
        """Returns the values of `keys`, a Tensor or SparseTensor."""
        raise NotImplementedError


def name_of_table(handle: Any) -> str | None:
    """Returns the last component of the name of a table's node; None in eager mode."""
    if isinstance(handle, EagerTensor):
        return None
    name: str = handle.op.name.split("/")[-1]
    return name


def table_shared_name(name: str | None) -> str | None:
    """Returns the shared name of a table, by default a unique name in eager mode."""
    return f"table_{uuid.uuid4()}" if name is None and executing_eagerly() else name


def shape_of_values(default_value: Tensor) -> TensorShape:
    """Returns the attr `value_shape` of a table; a default of unknown rank counts as scalar, as in TensorFlow."""
    return default_value.shape if default_value.shape.ndims is not None else TensorShape([])


def check_keys(table: LookupInterface, keys: Any) -> None:
    """Raises TypeError if `keys` and the table differ in key dtype."""
    if keys.dtype.base_dtype != table.key_dtype:
        raise TypeError(
            f"Signature mismatch. Keys must be dtype {table.key_dtype}, got {keys.dtype}."
        )


class InitializableLookupTableBase(LookupInterface):
    """Base class of tables filled by an initializer.

    Args:
      default_value: value for missing keys, a scalar.
      initializer: a `TableInitializerBase`.
    """

    default_value: Tensor = read_only("Value returned for missing keys.")

    def __init__(self, default_value: TensorLike, initializer: TableInitializerBase):
        super().__init__(initializer.key_dtype, initializer.value_dtype)
        self._default_value = ops.convert_to_tensor(default_value, dtype=self._value_dtype)
        self._default_value.shape.merge_with(TensorShape([]))
        self._initializer = self._track_trackable(initializer, "_initializer", overwrite=True)
        with init_scope():
            self._resource_handle = self._create_resource()
        if get_default_graph()._get_control_flow_context() is None:
            self._init_op = self._initialize()
        else:
            with init_scope():
                self._init_op = self._initialize()

    def _initialize(self) -> Any:
        return self._initializer.initialize(self)

    def size(self, name: str | None = None) -> Tensor:
        """Returns the number of keys in the table, a scalar int64 Tensor."""
        with name_scope(name, f"{self.name}_Size", [self.resource_handle]):
            return raw.LookupTableSizeV2(self.resource_handle)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Returns the value of each key, or the default value for missing keys.

        Args:
          keys: a Tensor or SparseTensor of the key dtype of the table.
          name: a name scope for the node.

        Returns:
          A Tensor or SparseTensor with the shape of `keys`.

        Raises:
          TypeError: if `keys` is of another dtype.
        """
        key_tensor = keys.values if isinstance(keys, SparseTensor) else keys
        check_keys(self, keys)
        used = (self.resource_handle, key_tensor, self._default_value)
        with name_scope(name, f"{self.name}_Lookup", used):
            values = raw.LookupTableFindV2(*used)
        values.set_shape(key_tensor.shape)
        if isinstance(keys, SparseTensor):
            return SparseTensor(keys.indices, values, keys.dense_shape)
        return values


class StaticHashTable(InitializableLookupTableBase):
    """An immutable table from keys to values, filled only once.

    Args:
      initializer: a `KeyValueTensorInitializer` or `TextFileInitializer`.
      default_value: value for missing keys, a scalar.
      name: the name of the node.

    Example:
      table = tf.lookup.StaticHashTable(
          tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), default_value=-1)
      ids = table.lookup(tf.constant(["b", "c"]))  # [2, -1] after tf.tables_initializer()
    """

    name: Any = read_only("Last component of the table node's name.", "_table_name")
    initializer: Any = read_only("The operation that fills the table.", "_init_op")

    def __init__(
        self, initializer: TableInitializerBase, default_value: TensorLike, name: str | None = None
    ):
        # Not shared otherwise.
        shared_name = initializer._shared_name or f"hash_table_{uuid.uuid4()}"
        self._fill(initializer, default_value, name, shared_name)

    def _fill(self, initializer: Any, default_value: Any, name: Any, shared_name: Any) -> None:
        self._initializer = initializer
        self._shared_name = shared_name
        self._name = name or "hash_table"
        self._table_name: str | None = None
        InitializableLookupTableBase.__init__(self, default_value, initializer)
        self._value_shape = self._default_value.shape

    def _create_resource(self) -> Any:
        handle = raw.HashTableV2(
            shared_name=table_shared_name(self._shared_name),
            key_dtype=self._initializer.key_dtype,
            value_dtype=self._initializer.value_dtype,
            name=self._name,
        )
        self._table_name = name_of_table(handle)
        return handle

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """Returns all keys, [n], and their values, in arbitrary order."""
        with name_scope(name, f"{self.name}_Export", [self.resource_handle]):
            keys, values = raw.LookupTableExportV2(
                self.resource_handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype
            )
        values.set_shape(keys.shape.concatenate(self._value_shape))
        return keys, values


class HashTable(StaticHashTable):
    """`tf.contrib.lookup.HashTable`, a StaticHashTable whose contents may be shared.

    Args:
      initializer: a `KeyValueTensorInitializer` or `TextFileInitializer`.
      default_value: value for missing keys, a scalar.
      shared_name: name under which tables in a session share their contents.
      name: the name of the node.
    """

    init: Any = read_only(
        "The operation that fills the table; deprecated alias of `initializer`.", "initializer"
    )

    def __init__(
        self,
        initializer: TableInitializerBase,
        default_value: TensorLike,
        shared_name: str | None = None,
        name: str | None = None,
    ):
        self._fill(initializer, default_value, name, shared_name)

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """Returns all keys, [n], and their values, in arbitrary order."""
        with name_scope(name, f"{self.name}_Export", [self.resource_handle]) as scope:
            keys, values = raw.LookupTableExportV2(
                self.resource_handle, Tkeys=self._key_dtype, Tvalues=self._value_dtype, name=scope
            )
        values.set_shape(keys.shape.concatenate(self._value_shape))
        return keys, values
