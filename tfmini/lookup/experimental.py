"""`tf.lookup.experimental`: tables whose keys and values lie in tensors."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.tables.dense import DenseHashTable

__all__ = ["DenseHashTable"]

_namespace(globals())
