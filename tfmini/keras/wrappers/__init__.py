"""`tf.keras.wrappers`: models as other libraries take them."""

from tfmini.keras.wrappers import scikit_learn
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["scikit_learn"]

_namespace(globals())
