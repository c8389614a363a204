"""`tf.keras.activations`: functions of outputs."""

from tfmini.layers.activations import (
    deserialize,
    elu,
    exponential,
    get,
    hard_sigmoid,
    linear,
    relu,
    selu,
    serialize,
    sigmoid,
    softmax,
    softplus,
    softsign,
    tanh,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "deserialize",
    "elu",
    "exponential",
    "get",
    "hard_sigmoid",
    "linear",
    "relu",
    "selu",
    "serialize",
    "sigmoid",
    "softmax",
    "softplus",
    "softsign",
    "tanh",
]

_namespace(globals())
