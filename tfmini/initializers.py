"""`tf.initializers`: what gives variables their first values."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.ops.lookup.tables import tables_initializer
from tfmini.variables.collected import global_variables_initializer as global_variables
from tfmini.variables.collected import local_variables_initializer as local_variables
from tfmini.variables.collected import variables_initializer as variables
from tfmini.variables.initializers import Constant as constant
from tfmini.variables.initializers import GlorotNormal as glorot_normal
from tfmini.variables.initializers import GlorotUniform as glorot_uniform
from tfmini.variables.initializers import Identity as identity
from tfmini.variables.initializers import Ones as ones
from tfmini.variables.initializers import Orthogonal as orthogonal
from tfmini.variables.initializers import RandomNormal as random_normal
from tfmini.variables.initializers import RandomUniform as random_uniform
from tfmini.variables.initializers import TruncatedNormal as truncated_normal
from tfmini.variables.initializers import UniformUnitScaling as uniform_unit_scaling
from tfmini.variables.initializers import VarianceScaling as variance_scaling
from tfmini.variables.initializers import Zeros as zeros
from tfmini.variables.initializers import he_normal, he_uniform, lecun_normal, lecun_uniform

__all__ = [
    "constant",
    "global_variables",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "identity",
    "lecun_normal",
    "lecun_uniform",
    "local_variables",
    "ones",
    "orthogonal",
    "random_normal",
    "random_uniform",
    "tables_initializer",
    "truncated_normal",
    "uniform_unit_scaling",
    "variables",
    "variance_scaling",
    "zeros",
]

_namespace(globals())
