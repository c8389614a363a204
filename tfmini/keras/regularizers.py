"""`tf.keras.regularizers`: penalties on weights and outputs."""

from tfmini.layers.regularizers import L1L2, Regularizer, deserialize, get, l1, l1_l2, l2, serialize
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["L1L2", "Regularizer", "deserialize", "get", "l1", "l1_l2", "l2", "serialize"]

_namespace(globals())
