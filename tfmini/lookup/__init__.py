"""`tf.lookup`: tables from keys to values."""

from tfmini.lookup import experimental
from tfmini.names.namespaces import namespace as _namespace
from tfmini.tables.buckets import StaticVocabularyTable
from tfmini.tables.initializers import (
    KeyValueTensorInitializer,
    TextFileIndex,
    TextFileInitializer,
)
from tfmini.tables.static import StaticHashTable

__all__ = [
    "KeyValueTensorInitializer",
    "StaticHashTable",
    "StaticVocabularyTable",
    "TextFileIndex",
    "TextFileInitializer",
    "experimental",
]

_namespace(globals())
