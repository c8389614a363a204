from tfmini._src.contrib.slim.nets.overfeat import overfeat as overfeat
from tfmini._src.contrib.slim.nets.overfeat import overfeat_arg_scope as overfeat_arg_scope
from tfmini.contrib.slim.nets.inception_v1 import trunc_normal as trunc_normal
