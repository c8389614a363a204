"""tf.nn: what neural networks are made of."""

from tfmini.nn.late import LATE as _LATE
from tfmini.nn.late import late_attributes as _late_attributes
from tfmini.ops.activations import (
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
from tfmini.ops.biases import bias_add, relu_layer, xw_plus_b
from tfmini.ops.blocks import space_to_batch
from tfmini.ops.convolutions import (
    conv2d,
    conv2d_backprop_filter,
    conv2d_backprop_input,
    conv2d_transpose,
)
from tfmini.ops.cross_entropies import (
    softmax_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)
from tfmini.ops.ctc_decoders import (
    ctc_beam_search_decoder,
    ctc_beam_search_decoder_v2,
    ctc_greedy_decoder,
)
from tfmini.ops.ctc_labels import collapse_repeated, ctc_unique_labels
from tfmini.ops.ctc_losses import ctc_loss
from tfmini.ops.depths import depth_to_space, space_to_depth
from tfmini.ops.elementwise_losses import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from tfmini.ops.embeddings import embedding_lookup
from tfmini.ops.exponentials import sigmoid, tanh
from tfmini.ops.rankings import in_top_k, top_k
from tfmini.ops.regularization import dropout, l2_loss, zero_fraction
from tfmini.ops.softmaxes import log_softmax, softmax
from tfmini.ops.sparse_embeddings import embedding_lookup_sparse, safe_embedding_lookup_sparse
from tfmini.ops.statistics import (
    l2_normalize,
    moments,
    normalize_moments,
    sufficient_statistics,
    weighted_moments,
)

__all__ = [name for name in globals() if name != "late" and not name.startswith("_")]
__all__ += _LATE
__getattr__ = _late_attributes(__name__, globals())
