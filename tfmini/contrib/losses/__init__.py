"""`tf.contrib.losses`: the losses from before `tf.losses`, and those that learn distances."""

from tfmini.contrib.losses import metric_learning
from tfmini.contrib.losses.collected import (
    add_loss,
    get_losses,
    get_regularization_losses,
    get_total_loss,
)
from tfmini.contrib.losses.elementwise import (
    absolute_difference,
    cosine_distance,
    hinge_loss,
    log_loss,
    mean_pairwise_squared_error,
    mean_squared_error,
    sigmoid_cross_entropy,
    softmax_cross_entropy,
    sparse_softmax_cross_entropy,
)
from tfmini.contrib.losses.weighting import compute_weighted_loss
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "absolute_difference",
    "add_loss",
    "compute_weighted_loss",
    "cosine_distance",
    "get_losses",
    "get_regularization_losses",
    "get_total_loss",
    "hinge_loss",
    "log_loss",
    "mean_pairwise_squared_error",
    "mean_squared_error",
    "metric_learning",
    "sigmoid_cross_entropy",
    "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]

_namespace(globals())
