from tfmini._src.contrib.slim.nets.alexnet import alexnet_v2 as alexnet_v2
from tfmini._src.contrib.slim.nets.alexnet import alexnet_v2_arg_scope as alexnet_v2_arg_scope
from tfmini.contrib.slim.nets.inception_v1 import trunc_normal as trunc_normal
