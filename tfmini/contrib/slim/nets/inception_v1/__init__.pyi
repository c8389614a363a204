from tfmini.contrib.slim.nets.inception import inception_v1 as inception_v1
from tfmini.contrib.slim.nets.inception import inception_v1_arg_scope as inception_v1_arg_scope
from tfmini.contrib.slim.nets.inception import inception_v1_base as inception_v1_base
from tfmini._src.contrib.slim.nets.branch_builder import trunc_normal as trunc_normal
