"""`tf.contrib.quantize`: graphs that compute as one in eight bits will, to be trained and exported.

A rewrite first folds batch normalization into the weights before it (`fused_norms`, `plain_norms`), since a network of
small integers has one product there; then it rounds weights and activations to the steps that the bits allow
(`insertion`), where `layers` finds them by `patterns`.
"""

from tfmini.contrib.quantize.graphs import (
    create_eval_graph,
    create_training_graph,
    experimental_create_eval_graph,
    experimental_create_training_graph,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "create_eval_graph",
    "create_training_graph",
    "experimental_create_eval_graph",
    "experimental_create_training_graph",
]

_namespace(globals())
