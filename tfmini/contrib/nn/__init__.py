"""`tf.contrib.nn`: dropout for selu, a softplus, losses, and two functions that `tf.nn` has too."""

from tfmini.contrib.nn.dropping import alpha_dropout
from tfmini.contrib.nn.losses import (
    deprecated_flipped_sigmoid_cross_entropy_with_logits,
    deprecated_flipped_softmax_cross_entropy_with_logits,
    deprecated_flipped_sparse_softmax_cross_entropy_with_logits,
    rank_sampled_softmax_loss,
    sampled_sparse_softmax_loss,
)
from tfmini.contrib.nn.softplus import scaled_softplus
from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.math.histograms import nth_element
from tfmini.ops.nn.convolution.functions_1d import conv1d_transpose

__all__ = [
    "alpha_dropout",
    "conv1d_transpose",
    "deprecated_flipped_sigmoid_cross_entropy_with_logits",
    "deprecated_flipped_softmax_cross_entropy_with_logits",
    "deprecated_flipped_sparse_softmax_cross_entropy_with_logits",
    "nth_element",
    "rank_sampled_softmax_loss",
    "sampled_sparse_softmax_loss",
    "scaled_softplus",
]

_namespace(globals())
