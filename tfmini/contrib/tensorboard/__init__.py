"""tf.contrib.tensorboard: what plugins of TensorBoard read."""

from tfmini.contrib.tensorboard import plugins
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "plugins",
]

_namespace(globals())
