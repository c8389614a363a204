"""Vocabulary tables: strings to ids and back, from tensors or files."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.data.lookup_tables.id_table_with_hash_buckets import (
    FastHashSpec,
    HasherSpec,
    IdTableWithHashBuckets,
)
from tfmini._src.data.lookup_tables.initializers import (
    KeyValueTensorInitializer,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileStringTableInitializer,
)
from tfmini._src.data.lookup_tables.static_hash_table import StaticHashTable
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def _check_buckets(num_oov_buckets: int) -> None:
    if num_oov_buckets < 0:
        raise ValueError(f"num_oov_buckets must be greater or equal than 0, got {num_oov_buckets}.")


def _check_key_dtype(dtype: Any) -> None:
    if not dtype.is_integer and dtypes.string != dtype.base_dtype:
        raise TypeError("Only integer and string keys are supported.")


def _check_file(vocabulary_file: Any) -> None:
    if vocabulary_file is None or (isinstance(vocabulary_file, str) and not vocabulary_file):
        raise ValueError("vocabulary_file must be specified and must not be empty.")


def index_table_from_file(
    vocabulary_file: Any = None,
    num_oov_buckets: int = 0,
    vocab_size: int | None = None,
    default_value: TensorLike = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    key_dtype: Any = dtypes.string,
    name: str | None = None,
    key_column_index: int = TextFileIndex.WHOLE_LINE,
    value_column_index: int = TextFileIndex.LINE_NUMBER,
    delimiter: str = "\t",
) -> Any:
    """Returns a table from the lines of a file to their line numbers.

    Args:
      vocabulary_file: the path, a string or a scalar string tensor.
      num_oov_buckets: number of hash buckets for out-of-vocabulary keys.
      vocab_size: number of lines to read; None for all.
      default_value: id for missing keys if there are no buckets.
      hasher_spec: hash function of the buckets.
      key_dtype: the dtype of the keys: string or an integer.
      key_column_index: index of the key field of a line.
      value_column_index: index of the id field.
      delimiter: field delimiter.

    Returns:
      A table; `tf.tables_initializer()` fills it.

    Raises:
      ValueError: for a missing path, or negative numbers.
      TypeError: for keys of another dtype.
    """
    _check_file(vocabulary_file)
    _check_buckets(num_oov_buckets)
    if vocab_size is not None and vocab_size < 1:
        filename = vocabulary_file
        if isinstance(vocabulary_file, Tensor):
            filename = get_static_value(vocabulary_file) or "?"
        raise ValueError(
            f"vocab_size must be greater than 0, got {vocab_size}. vocabulary_file: {filename}"
        )
    _check_key_dtype(key_dtype)
    with name_scope(name, "string_to_index"):
        with name_scope(None, "hash_table"):
            initializer = TextFileIdTableInitializer(
                vocabulary_file,
                vocab_size=vocab_size,
                key_dtype=dtypes.int64 if key_dtype.is_integer else key_dtype,
                name="table_init",
                key_column_index=key_column_index,
                value_column_index=value_column_index,
                delimiter=delimiter,
            )
            table: Any = StaticHashTable(initializer, default_value)
        if num_oov_buckets:
            table = IdTableWithHashBuckets(
                table,
                num_oov_buckets=num_oov_buckets,
                hasher_spec=hasher_spec,
                key_dtype=key_dtype,
            )
        return table


def index_table_from_tensor(
    mapping: TensorLike,
    num_oov_buckets: int = 0,
    default_value: TensorLike = -1,
    hasher_spec: HasherSpec = FastHashSpec,
    dtype: Any = dtypes.string,
    name: str | None = None,
) -> Any:
    """Returns a table from the elements of a vector to their positions.

    Args:
      mapping: [n] tensor of strings or integers, without duplicates.
      num_oov_buckets: number of hash buckets for out-of-vocabulary keys.
      default_value: id for missing keys if there are no buckets.
      hasher_spec: hash function of the buckets.
      dtype: the dtype of the keys: string or an integer.

    Returns:
      A table; `tf.tables_initializer()` fills it.

    Raises:
      ValueError: for a missing mapping, or one of another dtype.
      TypeError: for keys of another dtype.

    Example: `index_table_from_tensor(["a", "b"]).lookup(tf.constant(["b"]))` is `[1]`.
    """
    if mapping is None:
        raise ValueError("mapping must be specified.")
    _check_buckets(num_oov_buckets)
    _check_key_dtype(dtype)
    with name_scope(name, "string_to_index"):
        keys = ops.convert_to_tensor(mapping)
        if keys.dtype.is_integer != dtype.is_integer:
            expected_type = "integer" if dtype.is_integer else "non-integer"
            raise ValueError(f"Expected {expected_type}, got {keys.dtype}.")
        if not dtype.is_integer and keys.dtype.base_dtype != dtype:
            raise ValueError(f"Expected {dtype}, got {keys.dtype}.")
        count = ops.size(keys)
        values = ops.cast(ops.range(count), dtypes.int64)
        with name_scope(None, "hash_table"):
            table_keys = ops.cast(keys, dtypes.int64) if keys.dtype.is_integer else keys
            initializer = KeyValueTensorInitializer(
                table_keys, values, table_keys.dtype.base_dtype, dtypes.int64, name="table_init"
            )
            table: Any = StaticHashTable(initializer, default_value)
        if num_oov_buckets:
            table = IdTableWithHashBuckets(
                table, num_oov_buckets=num_oov_buckets, hasher_spec=hasher_spec, key_dtype=dtype
            )
        return table


def index_to_string_table_from_file(
    vocabulary_file: Any,
    vocab_size: int | None = None,
    default_value: TensorLike = "UNK",
    name: str | None = None,
    key_column_index: int = TextFileIndex.LINE_NUMBER,
    value_column_index: int = TextFileIndex.WHOLE_LINE,
    delimiter: str = "\t",
) -> StaticHashTable:
    """Returns a table from line numbers of a file to the lines; see `index_table_from_file`."""
    _check_file(vocabulary_file)
    if vocab_size is not None and vocab_size < 1:
        raise ValueError(f"vocab_size must be greater than 0, got {vocab_size}.")
    with name_scope(name, "index_to_string"):
        initializer = TextFileStringTableInitializer(
            vocabulary_file,
            vocab_size=vocab_size,
            name="table_init",
            key_column_index=key_column_index,
            value_column_index=value_column_index,
            delimiter=delimiter,
        )
        return StaticHashTable(initializer, default_value)


def index_to_string_table_from_tensor(
    mapping: TensorLike, default_value: TensorLike = "UNK", name: str | None = None
) -> StaticHashTable:
    """Returns a table from positions to the strings of a vector; see `index_table_from_tensor`."""
    if mapping is None:
        raise ValueError("mapping must be specified.")
    with name_scope(name, "index_to_string"):
        words = ops.convert_to_tensor(mapping, dtypes.string)
        count = ops.size(words)
        keys = ops.cast(ops.range(count), dtypes.int64)
        initializer = KeyValueTensorInitializer(
            keys, words, dtypes.int64, dtypes.string, name="table_init"
        )
        return StaticHashTable(initializer, default_value)


@deprecated("2017-04-10", "Use `index_table_from_file`.")
@arguments_of(
    index_table_from_file, "key_dtype", "key_column_index", "value_column_index", "delimiter"
)
def string_to_index_table_from_file(**arguments: Any) -> Any:
    """Same as `index_table_from_file` for strings; deprecated."""
    return index_table_from_file(**arguments)


@deprecated("2017-04-10", "Use `index_table_from_tensor`.")
@arguments_of(index_table_from_tensor, "dtype")
def string_to_index_table_from_tensor(mapping: Any, name: str | None, **options: Any) -> Any:
    """Same as `index_table_from_tensor` for strings; deprecated."""
    with name_scope(name, "string_to_index") as scope:
        mapping = ops.convert_to_tensor(mapping)
    if dtypes.string != mapping.dtype.base_dtype:
        raise ValueError("string_to_index_table_from_tensor requires string.")
    return index_table_from_tensor(mapping, name=scope, **options)


@deprecated(
    "2017-01-07",
    "This op will be removed after the deprecation date. Please switch to index_table_from_tensor "
    "and call the lookup method of the returned table.",
)
def string_to_index(
    tensor: TensorLike, mapping: TensorLike, default_value: TensorLike = -1, name: str | None = None
) -> Any:
    """Returns the position of each string of `tensor` in the vector `mapping`."""
    table = index_table_from_tensor(mapping=mapping, default_value=default_value, name=name)
    return table.lookup(tensor)


@deprecated(
    "2017-01-07",
    "This op will be removed after the deprecation date. Please switch to "
    "index_to_string_table_from_tensor and call the lookup method of the returned table.",
)
def index_to_string(
    tensor: TensorLike,
    mapping: TensorLike,
    default_value: TensorLike = "UNK",
    name: str | None = None,
) -> Any:
    """Returns the string of the vector `mapping` at each position of `tensor`."""
    table = index_to_string_table_from_tensor(
        mapping=mapping, default_value=default_value, name=name
    )
    return table.lookup(tensor)
