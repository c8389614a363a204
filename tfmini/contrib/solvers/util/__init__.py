"""`tf.contrib.solvers.util`: matrices as operators, and norms."""

from tfmini.contrib.solvers.operators import (
    create_operator,
    dot,
    identity_operator,
    l2norm,
    l2norm_squared,
    l2normalize,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "create_operator",
    "dot",
    "identity_operator",
    "l2norm",
    "l2norm_squared",
    "l2normalize",
]

_namespace(globals())
