"""`tf.lookup`: tables from keys to values."""

from tfmini.hints import no_attributes as _no_attributes
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
]

__getattr__ = _no_attributes(__name__, globals())
