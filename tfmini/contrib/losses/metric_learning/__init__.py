"""`tf.contrib.losses.metric_learning`: losses of embeddings, near where labels agree and far where they differ."""

from tfmini.contrib.losses.metric_learning.clusters import cluster_loss
from tfmini.contrib.losses.metric_learning.pairs import (
    contrastive_loss,
    npairs_loss,
    npairs_loss_multilabel,
)
from tfmini.contrib.losses.metric_learning.triplets import (
    lifted_struct_loss,
    triplet_semihard_loss,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "cluster_loss",
    "contrastive_loss",
    "lifted_struct_loss",
    "npairs_loss",
    "npairs_loss_multilabel",
    "triplet_semihard_loss",
]

_namespace(globals())
