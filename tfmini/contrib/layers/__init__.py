"""`tf.contrib.layers`: initializers, regularizers, lookups of sparse ids."""

from tfmini.contrib.layers.embeddings import (
    embedding_lookup_unique,
    safe_embedding_lookup_sparse,
)
from tfmini.contrib.layers.initializers import (
    variance_scaling_initializer,
    xavier_initializer,
    xavier_initializer_conv2d,
)
from tfmini.contrib.layers.regularizers import (
    apply_regularization,
    l1_l2_regularizer,
    l1_regularizer,
    l2_regularizer,
    sum_regularizer,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "apply_regularization",
    "embedding_lookup_unique",
    "l1_l2_regularizer",
    "l1_regularizer",
    "l2_regularizer",
    "safe_embedding_lookup_sparse",
    "sum_regularizer",
    "variance_scaling_initializer",
    "xavier_initializer",
    "xavier_initializer_conv2d",
]

_namespace(globals())
