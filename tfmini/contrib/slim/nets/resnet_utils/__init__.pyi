from tfmini._src.contrib.slim.nets.resnet_utils import Block as Block
from tfmini._src.contrib.slim.nets.resnet_utils import conv2d_same as conv2d_same
from tfmini.contrib.slim.nets.resnet_v1 import resnet_arg_scope as resnet_arg_scope
from tfmini._src.contrib.slim.nets.resnet_utils import stack_blocks_dense as stack_blocks_dense
from tfmini._src.contrib.slim.nets.resnet_utils import subsample as subsample
