"""`tensorflow.python.ops.lookup_ops`: word tables whose argument names differ from `tf.contrib.lookup`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.data.lookup_tables import index_table
from tfmini._src.data.lookup_tables.id_table_with_hash_buckets import FastHashSpec

__all__ = ["index_table_from_tensor", "index_to_string_table_from_tensor"]


def index_table_from_tensor(
    vocabulary_list: Any,
    num_oov_buckets: int = 0,
    default_value: Any = -1,
    hasher_spec: Any = FastHashSpec,
    dtype: Any = dtypes.string,
    name: str | None = None,
) -> Any:
    """Same as `tf.contrib.lookup.index_table_from_tensor`, with the argument name `vocabulary_list`."""
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    return index_table.index_table_from_tensor(
        vocabulary_list, num_oov_buckets, default_value, hasher_spec, dtype, name
    )


def index_to_string_table_from_tensor(
    vocabulary_list: Any, default_value: Any = "UNK", name: str | None = None
) -> Any:
    """Same as `tf.contrib.lookup.index_to_string_table_from_tensor`, with the argument name `vocabulary_list`."""
    if vocabulary_list is None:
        raise ValueError("vocabulary_list must be specified.")
    return index_table.index_to_string_table_from_tensor(vocabulary_list, default_value, name)
