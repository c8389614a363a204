"""`tf.contrib.lookup`: tables from keys to values, and vocabularies."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.tables.buckets import FastHashSpec, HasherSpec, IdTableWithHashBuckets, StrongHashSpec
from tfmini.tables.dense import DenseHashTable as MutableDenseHashTable
from tfmini.tables.initializers import (
    KeyValueTensorInitializer,
    TableInitializerBase,
    TextFileIdTableInitializer,
    TextFileIndex,
    TextFileInitializer,
    TextFileStringTableInitializer,
)
from tfmini.tables.mutable import MutableHashTable
from tfmini.tables.static import HashTable, InitializableLookupTableBase, LookupInterface
from tfmini.tables.vocabularies import (
    index_table_from_file,
    index_table_from_tensor,
    index_to_string,
    index_to_string_table_from_file,
    index_to_string_table_from_tensor,
    string_to_index,
    string_to_index_table_from_file,
    string_to_index_table_from_tensor,
)

__all__ = [
    "FastHashSpec",
    "HashTable",
    "HasherSpec",
    "IdTableWithHashBuckets",
    "InitializableLookupTableBase",
    "KeyValueTensorInitializer",
    "LookupInterface",
    "MutableDenseHashTable",
    "MutableHashTable",
    "StrongHashSpec",
    "TableInitializerBase",
    "TextFileIdTableInitializer",
    "TextFileIndex",
    "TextFileInitializer",
    "TextFileStringTableInitializer",
    "index_table_from_file",
    "index_table_from_tensor",
    "index_to_string",
    "index_to_string_table_from_file",
    "index_to_string_table_from_tensor",
    "string_to_index",
    "string_to_index_table_from_file",
    "string_to_index_table_from_tensor",
]

_namespace(globals())
