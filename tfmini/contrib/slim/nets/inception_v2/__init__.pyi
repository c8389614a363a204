from tfmini.contrib.slim.nets.inception import inception_v2 as inception_v2
from tfmini.contrib.slim.nets.inception import inception_v2_arg_scope as inception_v2_arg_scope
from tfmini.contrib.slim.nets.inception import inception_v2_base as inception_v2_base
from tfmini.contrib.slim.nets.inception_v1 import trunc_normal as trunc_normal
