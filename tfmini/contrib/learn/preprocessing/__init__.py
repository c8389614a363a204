"""`tf.contrib.learn.preprocessing`: documents and categories as rows of numbers."""

from tfmini.contrib.learn.preprocessing.categories import CategoricalProcessor
from tfmini.contrib.learn.preprocessing.documents import VocabularyProcessor
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["CategoricalProcessor", "VocabularyProcessor"]

_namespace(globals())
