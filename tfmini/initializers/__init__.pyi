from tfmini import constant_initializer as _constant; constant = _constant
from tfmini import global_variables_initializer as _global_variables; global_variables = _global_variables
from tfmini import glorot_normal_initializer as _glorot_normal; glorot_normal = _glorot_normal
from tfmini import glorot_uniform_initializer as _glorot_uniform; glorot_uniform = _glorot_uniform
from tfmini._src.variables.initializers import he_normal as he_normal
from tfmini._src.variables.initializers import he_uniform as he_uniform
from tfmini._src.variables.initializers import Identity as _identity; identity = _identity
from tfmini._src.variables.initializers import lecun_normal as lecun_normal
from tfmini._src.variables.initializers import lecun_uniform as lecun_uniform
from tfmini import local_variables_initializer as _local_variables; local_variables = _local_variables
from tfmini import ones_initializer as _ones; ones = _ones
from tfmini import orthogonal_initializer as _orthogonal; orthogonal = _orthogonal
from tfmini import random_normal_initializer as _random_normal; random_normal = _random_normal
from tfmini import random_uniform_initializer as _random_uniform; random_uniform = _random_uniform
from tfmini import tables_initializer as tables_initializer
from tfmini import truncated_normal_initializer as _truncated_normal; truncated_normal = _truncated_normal
from tfmini import uniform_unit_scaling_initializer as _uniform_unit_scaling; uniform_unit_scaling = _uniform_unit_scaling
from tfmini import variables_initializer as _variables; variables = _variables
from tfmini import variance_scaling_initializer as _variance_scaling; variance_scaling = _variance_scaling
from tfmini import zeros_initializer as _zeros; zeros = _zeros
