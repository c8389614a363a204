"""Table initializers: keys and values from tensors, or lines of a text file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops, raw
from tfmini._src.variables.capturable_resource import TrackableAsset
from tfmini._src.variables.init_scope import init_scope
from tfmini._src.variables.trackable import Trackable

if TYPE_CHECKING:
    from tfmini._src.data.lookup_tables.static_hash_table import LookupInterface


class TableInitializerBase(Trackable):
    """Base class of table initializers; subclasses add the op in `initialize`.

    Args:
      key_dtype: the dtype of the keys.
      value_dtype: the dtype of the values.
    """

    key_dtype: Any = read_only("The dtype of the keys.")
    value_dtype: Any = read_only("The dtype of the values.")

    def __init__(self, key_dtype: DTypeLike, value_dtype: DTypeLike):
        self._key_dtype = dtypes.as_dtype(key_dtype)
        self._value_dtype = dtypes.as_dtype(value_dtype)

    def initialize(self, table: LookupInterface) -> Any:
        """Adds and returns the operation that fills `table`."""
        raise NotImplementedError

    @property
    def _shared_name(self) -> str:
        """The shared name of tables with this content, or ""."""
        return ""


def _check_dtypes(table: Any, key_dtype: Any, value_dtype: Any) -> None:
    if key_dtype.base_dtype != table.key_dtype:
        raise TypeError(f"Invalid key dtype, expected {table.key_dtype} but got {key_dtype}.")
    if value_dtype.base_dtype != table.value_dtype:
        raise TypeError(f"Invalid value dtype, expected {table.value_dtype} but got {value_dtype}.")


class KeyValueTensorInitializer(TableInitializerBase):
    """Fills a table from tensors of keys and values.

    Args:
      keys: [n] tensor.
      values: [n] tensor.
      key_dtype: the dtype of `keys` if they are not a tensor.
      value_dtype: the dtype of `values` if they are not a tensor.

    Example: `tf.contrib.lookup.HashTable(KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)`.
    """

    def __init__(
        self,
        keys: TensorLike,
        values: TensorLike,
        key_dtype: DTypeLike | None = None,
        value_dtype: DTypeLike | None = None,
        name: str | None = None,
    ):
        if get_default_graph()._get_control_flow_context() is None:
            self._convert(keys, values, key_dtype, value_dtype)
        else:
            with init_scope():
                self._convert(keys, values, key_dtype, value_dtype)
        self._name = "key_value_init" if name is None else name
        super().__init__(self._keys.dtype, self._values.dtype)

    def _convert(self, keys: Any, values: Any, key_dtype: Any, value_dtype: Any) -> None:
        self._keys = ops.convert_to_tensor(keys, dtype=key_dtype, name="keys")
        self._values = ops.convert_to_tensor(values, dtype=value_dtype, name="values")

    def initialize(self, table: LookupInterface) -> Any:
        """Adds and returns the operation that fills `table`; in graph mode, adds it to TABLE_INITIALIZERS."""
        _check_dtypes(table, self._keys.dtype, self._values.dtype)
        with name_scope(self._name, None, (table.resource_handle, self._keys, self._values)):
            operation = raw.LookupTableImportV2(table.resource_handle, self._keys, self._values)
        _add_to_initializers(operation)
        return operation


def _add_to_initializers(operation: Any) -> None:
    if not executing_eagerly():
        add_to_collection(GraphKeys.TABLE_INITIALIZERS, operation)


class TextFileIndex:
    """The parts of a line, other than a field, that can be the key or the value: the whole line or the line number."""

    WHOLE_LINE = -2
    LINE_NUMBER = -1


class TextFileInitializer(TableInitializerBase):
    """Fills a table from a text file, one entry per line.

    Args:
      filename: the path, a string or a scalar string tensor.
      key_dtype: the dtype of the keys.
      key_index: index of the key field, or a `TextFileIndex`.
      value_dtype: the dtype of the values.
      value_index: index of the value field, or a `TextFileIndex`.
      vocab_size: number of lines to read; None for all.
      delimiter: field delimiter.

    Raises:
      ValueError: if an index is incompatible with its dtype.
    """

    def __init__(
        self,
        filename: str,
        key_dtype: DTypeLike,
        key_index: int,
        value_dtype: DTypeLike,
        value_index: int,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = None,
    ):
        if not isinstance(filename, Tensor) and not filename:
            raise ValueError(f"Filename required for {name}.")
        self._filename_arg = filename
        key_dtype, value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)
        _check_index("key", key_index, key_dtype)
        if (
            key_index == TextFileIndex.WHOLE_LINE
            and not key_dtype.is_integer
            and key_dtype != dtypes.string
        ):
            raise ValueError(
                f"Signature mismatch. Keys must be integer or string, got {key_dtype}."
            )
        _check_index("value", value_index, value_dtype)
        if value_index == TextFileIndex.WHOLE_LINE and value_dtype != dtypes.string:
            raise ValueError(
                f"Signature mismatch. Values must be dtype {dtypes.string}, got {value_dtype}."
            )
        if vocab_size is not None and vocab_size <= 0:
            raise ValueError(f"Invalid vocab_size {vocab_size}.")
        self._key_index = key_index
        self._value_index = value_index
        self._vocab_size = vocab_size
        self._delimiter = delimiter
        self._name = name
        self._filename = self._track_trackable(TrackableAsset(filename), "_filename")
        super().__init__(key_dtype, value_dtype)

    def initialize(self, table: LookupInterface) -> Any:
        """Adds and returns the operation that fills `table`; in graph mode, adds it to TABLE_INITIALIZERS."""
        _check_dtypes(table, self.key_dtype, self.value_dtype)
        with name_scope(self._name, "text_file_init", (table.resource_handle,)):
            filename = ops.convert_to_tensor(
                self._filename.asset_path, dtypes.string, name="asset_filepath"
            )
            operation = raw.InitializeTableFromTextFileV2(
                table.resource_handle,
                filename,
                key_index=self._key_index,
                value_index=self._value_index,
                vocab_size=-1 if self._vocab_size is None else self._vocab_size,
                delimiter=self._delimiter,
            )
        _add_to_initializers(operation)
        if not executing_eagerly() and filename.op.type == "Const":
            add_to_collection(GraphKeys.ASSET_FILEPATHS, filename)
        return operation

    @property
    def _shared_name(self) -> str:
        size = f"{self._vocab_size}_" if self._vocab_size else ""
        return f"hash_table_{self._filename_arg}_{size}{self._key_index}_{self._value_index}"


def _check_index(part: str, index: int, dtype: Any) -> None:
    if index < -2:
        raise ValueError(f"Invalid {part} index {index}.")
    if index == TextFileIndex.LINE_NUMBER and dtype != dtypes.int64:
        raise ValueError(
            f"Signature mismatch. {part.capitalize()}s must be dtype {dtypes.int64}, got {dtype}."
        )


class TextFileStringTableInitializer(TextFileInitializer):
    """Fills a table that maps line numbers to lines; see `TextFileInitializer`."""

    def __init__(
        self,
        filename: str,
        key_column_index: int = TextFileIndex.LINE_NUMBER,
        value_column_index: int = TextFileIndex.WHOLE_LINE,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str = "text_file_string_table_init",
    ):
        super().__init__(
            filename,
            dtypes.int64,
            key_column_index,
            dtypes.string,
            value_column_index,
            vocab_size=vocab_size,
            delimiter=delimiter,
            name=name,
        )


class TextFileIdTableInitializer(TextFileInitializer):
    """Fills a table that maps lines to line numbers; see `TextFileInitializer`."""

    def __init__(
        self,
        filename: str,
        key_column_index: int = TextFileIndex.WHOLE_LINE,
        value_column_index: int = TextFileIndex.LINE_NUMBER,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str = "text_file_id_table_init",
        key_dtype: DTypeLike = dtypes.string,
    ):
        super().__init__(
            filename,
            key_dtype,
            key_column_index,
            dtypes.int64,
            value_column_index,
            vocab_size=vocab_size,
            delimiter=delimiter,
            name=name,
        )
