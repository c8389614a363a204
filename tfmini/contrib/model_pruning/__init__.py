"""`tf.contrib.model_pruning`: weights that are set to zero while a network is trained, the smallest ones first.

Layers and cells multiply their weights by masks (`layers`, `cells`); `Pruning` sets these as training goes on; and
`stripping` leaves out of a graph what only pruning needs.
"""

from tfmini.contrib.model_pruning.cells import MaskedBasicLSTMCell, MaskedLSTMCell
from tfmini.contrib.model_pruning.layers import (
    masked_conv2d,
    masked_convolution,
    masked_fully_connected,
)
from tfmini.contrib.model_pruning.masks import (
    apply_mask,
    get_masked_weights,
    get_masks,
    get_thresholds,
    get_weight_sparsity,
    get_weights,
)
from tfmini.contrib.model_pruning.pruning import Pruning
from tfmini.contrib.model_pruning.settings import get_pruning_hparams
from tfmini.contrib.model_pruning.stripping import graph_def_from_checkpoint, strip_pruning_vars_fn
from tfmini.contrib.model_pruning.training import train
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "MaskedBasicLSTMCell",
    "MaskedLSTMCell",
    "Pruning",
    "apply_mask",
    "get_masked_weights",
    "get_masks",
    "get_pruning_hparams",
    "get_thresholds",
    "get_weight_sparsity",
    "get_weights",
    "graph_def_from_checkpoint",
    "masked_conv2d",
    "masked_convolution",
    "masked_fully_connected",
    "strip_pruning_vars_fn",
    "train",
]

_namespace(globals())
