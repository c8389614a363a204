"""`tf.contrib.learn.preprocessing`: documents as rows of numbers, a number for each word."""

from tfmini.contrib.learn.preprocessing.documents import VocabularyProcessor
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["VocabularyProcessor"]

_namespace(globals())
