"""`tf.contrib.training`: operations that train, gradients scaled and clipped."""

from tfmini.contrib.training.train_ops import (
    add_gradients_summaries,
    clip_gradient_norms,
    clip_gradient_norms_fn,
    create_train_op,
    multiply_gradients,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "add_gradients_summaries",
    "clip_gradient_norms",
    "clip_gradient_norms_fn",
    "create_train_op",
    "multiply_gradients",
]

_namespace(globals())
