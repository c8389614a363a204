"""tf.nn: what neural networks are made of."""

import typing as _typing

from tfmini.names.namespaces import namespace as _namespace
from tfmini.nn.late import load as _load
from tfmini.ops.array.space_to_batch import space_to_batch
from tfmini.ops.array.space_to_depth import depth_to_space, space_to_depth
from tfmini.ops.math.exponentials import sigmoid, tanh
from tfmini.ops.math.statistics import (
    l2_normalize,
    moments,
    normalize_moments,
    sufficient_statistics,
    weighted_moments,
)
from tfmini.ops.math.top_ks import in_top_k, top_k
from tfmini.ops.nn.activations import (
    crelu,
    elu,
    leaky_relu,
    relu,
    relu6,
    selu,
    softplus,
    softsign,
    swish,
)
from tfmini.ops.nn.batch_normalizations import (
    batch_norm_with_global_normalization,
    batch_normalization,
)
from tfmini.ops.nn.biases import bias_add, relu_layer, xw_plus_b
from tfmini.ops.nn.convolution.depthwise import (
    depthwise_conv2d_native,
    depthwise_conv2d_native_backprop_filter,
    depthwise_conv2d_native_backprop_input,
)
from tfmini.ops.nn.convolution.depthwise import (
    depthwise_conv2d_native_backprop_filter as depthwise_conv2d_backprop_filter,
)
from tfmini.ops.nn.convolution.depthwise import (
    depthwise_conv2d_native_backprop_input as depthwise_conv2d_backprop_input,
)
from tfmini.ops.nn.convolution.dilated import (
    atrous_conv2d,
    atrous_conv2d_transpose,
    convolution,
    with_space_to_batch,
)
from tfmini.ops.nn.convolution.functions_1d import conv1d, conv1d_transpose
from tfmini.ops.nn.convolution.functions_2d import (
    conv2d,
    conv2d_backprop_filter,
    conv2d_backprop_input,
    conv2d_transpose,
)
from tfmini.ops.nn.convolution.functions_3d import (
    conv3d,
    conv3d_backprop_filter_v2,
    conv3d_transpose,
    conv_transpose,
)
from tfmini.ops.nn.convolution.functions_3d import (
    conv3d_backprop_filter_v2 as conv3d_backprop_filter,
)
from tfmini.ops.nn.convolution.morphology import dilation2d, erosion2d
from tfmini.ops.nn.convolution.separable import depthwise_conv2d, separable_conv2d
from tfmini.ops.nn.cross_entropies import (
    softmax_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)
from tfmini.ops.nn.ctc.ctc_decoders import (
    ctc_beam_search_decoder,
    ctc_beam_search_decoder_v2,
    ctc_greedy_decoder,
)
from tfmini.ops.nn.ctc.ctc_labels import collapse_repeated, ctc_unique_labels
from tfmini.ops.nn.ctc.ctc_losses import ctc_loss
from tfmini.ops.nn.elementwise_losses import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from tfmini.ops.nn.embeddings import embedding_lookup
from tfmini.ops.nn.fused_batch_norms import fused_batch_norm
from tfmini.ops.nn.local_responses import local_response_normalization, lrn
from tfmini.ops.nn.pooling.fractional import fractional_avg_pool, fractional_max_pool
from tfmini.ops.nn.pooling.functions_2d import avg_pool, avg_pool2d, max_pool, max_pool2d
from tfmini.ops.nn.pooling.functions_nd import (
    avg_pool1d,
    avg_pool3d,
    avg_pool_v2,
    max_pool1d,
    max_pool3d,
    max_pool_v2,
    pool,
)
from tfmini.ops.nn.pooling.places import max_pool_with_argmax
from tfmini.ops.nn.regularization import dropout, l2_loss, zero_fraction
from tfmini.ops.nn.sampled_losses import nce_loss, sampled_softmax_loss
from tfmini.ops.nn.softmaxes import log_softmax, softmax
from tfmini.ops.random.candidate_samplers import (
    all_candidate_sampler,
    compute_accidental_hits,
    fixed_unigram_candidate_sampler,
    learned_unigram_candidate_sampler,
    log_uniform_candidate_sampler,
    uniform_candidate_sampler,
)
from tfmini.ops.sparse.sparse_embeddings import (
    embedding_lookup_sparse,
    safe_embedding_lookup_sparse,
)

if _typing.TYPE_CHECKING:  # what loads at its first use, shown to editors
    from tfmini.ctc.dense_ctc import ctc_loss_v2
    from tfmini.losses.averages import compute_average_loss, scale_regularization_loss
    from tfmini.nn import rnn_cell
    from tfmini.rnn.unrolling import (
        bidirectional_dynamic_rnn,
        dynamic_rnn,
        raw_rnn,
        static_bidirectional_rnn,
        static_rnn,
        static_state_saving_rnn,
    )

__all__ = [
    "all_candidate_sampler",
    "compute_accidental_hits",
    "compute_average_loss",
    "fixed_unigram_candidate_sampler",
    "learned_unigram_candidate_sampler",
    "log_uniform_candidate_sampler",
    "nce_loss",
    "sampled_softmax_loss",
    "scale_regularization_loss",
    "uniform_candidate_sampler",
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "avg_pool_v2",
    "batch_norm_with_global_normalization",
    "batch_normalization",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "max_pool_v2",
    "max_pool_with_argmax",
    "pool",
    "bias_add",
    "bidirectional_dynamic_rnn",
    "collapse_repeated",
    "atrous_conv2d",
    "atrous_conv2d_transpose",
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_backprop_filter",
    "conv2d_backprop_input",
    "conv2d_transpose",
    "conv3d",
    "conv3d_backprop_filter",
    "conv3d_backprop_filter_v2",
    "conv3d_transpose",
    "conv_transpose",
    "convolution",
    "crelu",
    "ctc_beam_search_decoder",
    "ctc_beam_search_decoder_v2",
    "ctc_greedy_decoder",
    "ctc_loss",
    "ctc_loss_v2",
    "ctc_unique_labels",
    "depth_to_space",
    "depthwise_conv2d",
    "depthwise_conv2d_backprop_filter",
    "depthwise_conv2d_backprop_input",
    "depthwise_conv2d_native",
    "depthwise_conv2d_native_backprop_filter",
    "depthwise_conv2d_native_backprop_input",
    "dilation2d",
    "dropout",
    "dynamic_rnn",
    "elu",
    "embedding_lookup",
    "embedding_lookup_sparse",
    "erosion2d",
    "fractional_avg_pool",
    "fractional_max_pool",
    "fused_batch_norm",
    "in_top_k",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "local_response_normalization",
    "log_poisson_loss",
    "log_softmax",
    "lrn",
    "moments",
    "normalize_moments",
    "raw_rnn",
    "relu",
    "relu6",
    "relu_layer",
    "rnn_cell",
    "safe_embedding_lookup_sparse",
    "selu",
    "separable_conv2d",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2",
    "softplus",
    "softsign",
    "space_to_batch",
    "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits",
    "static_bidirectional_rnn",
    "static_rnn",
    "static_state_saving_rnn",
    "sufficient_statistics",
    "swish",
    "tanh",
    "top_k",
    "weighted_cross_entropy_with_logits",
    "weighted_moments",
    "with_space_to_batch",
    "xw_plus_b",
    "zero_fraction",
]

_namespace(globals(), _load)
