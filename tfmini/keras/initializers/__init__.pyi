from tfmini import constant_initializer as _Constant; Constant = _Constant
from tfmini.initializers import identity as _Identity; Identity = _Identity
from tfmini._src.variables.initializers import Initializer as Initializer
from tfmini import ones_initializer as _Ones; Ones = _Ones
from tfmini import orthogonal_initializer as _Orthogonal; Orthogonal = _Orthogonal
from tfmini._src.nn.layers.initializers import RandomNormal as RandomNormal
from tfmini._src.nn.layers.initializers import RandomUniform as RandomUniform
from tfmini._src.nn.layers.initializers import TruncatedNormal as TruncatedNormal
from tfmini import variance_scaling_initializer as _VarianceScaling; VarianceScaling = _VarianceScaling
from tfmini import zeros_initializer as _Zeros; Zeros = _Zeros
from tfmini import constant_initializer as _constant; constant = _constant
from tfmini._src.nn.layers.initializers import deserialize as deserialize
from tfmini._src.nn.layers.initializers import get as get
from tfmini import glorot_normal_initializer as _glorot_normal; glorot_normal = _glorot_normal
from tfmini import glorot_uniform_initializer as _glorot_uniform; glorot_uniform = _glorot_uniform
from tfmini.initializers import he_normal as he_normal
from tfmini.initializers import he_uniform as he_uniform
from tfmini.initializers import identity as identity
from tfmini.initializers import lecun_normal as lecun_normal
from tfmini.initializers import lecun_uniform as lecun_uniform
from tfmini.keras.initializers import RandomNormal as _normal; normal = _normal
from tfmini import ones_initializer as _ones; ones = _ones
from tfmini import orthogonal_initializer as _orthogonal; orthogonal = _orthogonal
from tfmini.keras.initializers import RandomNormal as _random_normal; random_normal = _random_normal
from tfmini.keras.initializers import RandomUniform as _random_uniform; random_uniform = _random_uniform
from tfmini._src.nn.layers.initializers import serialize as serialize
from tfmini.keras.initializers import TruncatedNormal as _truncated_normal; truncated_normal = _truncated_normal
from tfmini.keras.initializers import RandomUniform as _uniform; uniform = _uniform
from tfmini import zeros_initializer as _zeros; zeros = _zeros
