"""`tf.keras.applications`: what models of ImageNet's classes want and what their results mean.

The models themselves are not here: their weights are a download each.
"""

from tfmini.keras.applications import imagenet_utils
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["imagenet_utils"]

_namespace(globals())
