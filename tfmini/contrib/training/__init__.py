"""`tf.contrib.training`: hyperparameters, operations that train, gradients scaled and clipped."""

from tfmini.contrib.training.hparams import HParams, parse_values
from tfmini.contrib.training.train_ops import (
    add_gradients_summaries,
    clip_gradient_norms,
    clip_gradient_norms_fn,
    create_train_op,
    multiply_gradients,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "HParams",
    "add_gradients_summaries",
    "clip_gradient_norms",
    "clip_gradient_norms_fn",
    "create_train_op",
    "multiply_gradients",
    "parse_values",
]

_namespace(globals())
