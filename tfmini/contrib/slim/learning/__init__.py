"""`tf.contrib.slim.learning`: the operation that trains, gradients scaled and clipped."""

from tfmini.contrib.slim.loops import train, train_step
from tfmini.contrib.slim.train_ops import (
    add_gradients_summaries,
    clip_gradient_norms,
    create_train_op,
    multiply_gradients,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "add_gradients_summaries",
    "clip_gradient_norms",
    "create_train_op",
    "multiply_gradients",
    "train",
    "train_step",
]

_namespace(globals())
