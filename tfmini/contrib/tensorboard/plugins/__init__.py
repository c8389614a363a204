"""tf.contrib.tensorboard.plugins: `projector`, which shows embeddings."""

from tfmini.contrib.tensorboard.plugins import projector
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "projector",
]

_namespace(globals())
