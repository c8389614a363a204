"""`tf.keras.mixed_precision`: dtypes of layers, and losses that are scaled for gradients of float16."""

from tfmini.keras.mixed_precision import experimental
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["experimental"]

_namespace(globals())
