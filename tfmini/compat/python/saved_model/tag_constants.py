"""`tensorflow.python.saved_model.tag_constants`."""

from tfmini.saved_model.tag_constants import GPU, SERVING, TPU, TRAINING

__all__ = ["GPU", "SERVING", "TPU", "TRAINING"]
