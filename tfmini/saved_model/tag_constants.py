"""`tf.saved_model.tag_constants`: tags that say what a graph of a SavedModel is for."""

from tfmini.names.namespaces import namespace as _namespace

__all__ = ["GPU", "SERVING", "TPU", "TRAINING"]

SERVING = "serve"
TRAINING = "train"
GPU = "gpu"
TPU = "tpu"

_namespace(globals())
