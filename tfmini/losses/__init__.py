"""`tf.losses`: how wrong predictions are, weighted, reduced to a scalar and collected.

Each function computes a loss for each element and hands it to `weighting`, which multiplies by weights that
stretch over them (`ops/math/weights_broadcast`), reduces as `reduction` says, and adds the result to the
collection LOSSES; `collected` adds these up. It imports ops.
"""

from tfmini.losses.classification import (
    hinge_loss,
    log_loss,
    sigmoid_cross_entropy,
    softmax_cross_entropy,
    sparse_softmax_cross_entropy,
)
from tfmini.losses.collected import (
    add_loss,
    get_losses,
    get_regularization_loss,
    get_regularization_losses,
    get_total_loss,
)
from tfmini.losses.reduction import Reduction
from tfmini.losses.regression import (
    absolute_difference,
    cosine_distance,
    huber_loss,
    mean_pairwise_squared_error,
    mean_squared_error,
)
from tfmini.losses.weighting import compute_weighted_loss
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "Reduction",
    "absolute_difference",
    "add_loss",
    "compute_weighted_loss",
    "cosine_distance",
    "get_losses",
    "get_regularization_loss",
    "get_regularization_losses",
    "get_total_loss",
    "hinge_loss",
    "huber_loss",
    "log_loss",
    "mean_pairwise_squared_error",
    "mean_squared_error",
    "sigmoid_cross_entropy",
    "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]

_namespace(globals())
