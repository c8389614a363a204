from tfmini._src.contrib.slim.nets.resnet_v1 import bottleneck as bottleneck
from tfmini._src.contrib.slim.nets.resnet_utils import resnet_arg_scope as resnet_arg_scope
from tfmini._src.contrib.slim.nets.resnet_v1 import resnet_v1 as resnet_v1
from tfmini._src.contrib.slim.nets.resnet_v1 import resnet_v1_101 as resnet_v1_101
from tfmini._src.contrib.slim.nets.resnet_v1 import resnet_v1_152 as resnet_v1_152
from tfmini._src.contrib.slim.nets.resnet_v1 import resnet_v1_200 as resnet_v1_200
from tfmini._src.contrib.slim.nets.resnet_v1 import resnet_v1_50 as resnet_v1_50
from tfmini._src.contrib.slim.nets.resnet_v1 import resnet_v1_block as resnet_v1_block
