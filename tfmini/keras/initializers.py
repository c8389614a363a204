"""`tf.keras.initializers`: first values of weights."""

from tfmini.layers.initializers import (
    RandomNormal,
    RandomUniform,
    TruncatedNormal,
    deserialize,
    get,
    serialize,
)
from tfmini.layers.initializers import RandomNormal as normal
from tfmini.layers.initializers import RandomNormal as random_normal
from tfmini.layers.initializers import RandomUniform as random_uniform
from tfmini.layers.initializers import RandomUniform as uniform
from tfmini.layers.initializers import TruncatedNormal as truncated_normal
from tfmini.names.namespaces import namespace as _namespace
from tfmini.variables.initializers import (
    Constant,
    Identity,
    Initializer,
    Ones,
    Orthogonal,
    VarianceScaling,
    Zeros,
    he_normal,
    he_uniform,
    lecun_normal,
    lecun_uniform,
)
from tfmini.variables.initializers import Constant as constant
from tfmini.variables.initializers import GlorotNormal as glorot_normal
from tfmini.variables.initializers import GlorotUniform as glorot_uniform
from tfmini.variables.initializers import Identity as identity
from tfmini.variables.initializers import Ones as ones
from tfmini.variables.initializers import Orthogonal as orthogonal
from tfmini.variables.initializers import Zeros as zeros

__all__ = [
    "Constant",
    "Identity",
    "Initializer",
    "Ones",
    "Orthogonal",
    "RandomNormal",
    "RandomUniform",
    "TruncatedNormal",
    "VarianceScaling",
    "Zeros",
    "constant",
    "deserialize",
    "get",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "identity",
    "lecun_normal",
    "lecun_uniform",
    "normal",
    "ones",
    "orthogonal",
    "random_normal",
    "random_uniform",
    "serialize",
    "truncated_normal",
    "uniform",
    "zeros",
]

_namespace(globals())
