from tfmini.contrib.slim.nets.inception import inception_v3 as inception_v3
from tfmini.contrib.slim.nets.inception import inception_v3_arg_scope as inception_v3_arg_scope
from tfmini.contrib.slim.nets.inception import inception_v3_base as inception_v3_base
from tfmini.contrib.slim.nets.inception_v1 import trunc_normal as trunc_normal
