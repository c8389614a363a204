from tfmini._src.contrib.slim.nets.resnet_v2 import bottleneck as bottleneck
from tfmini.contrib.slim.nets.resnet_v1 import resnet_arg_scope as resnet_arg_scope
from tfmini._src.contrib.slim.nets.resnet_v2 import resnet_v2 as resnet_v2
from tfmini._src.contrib.slim.nets.resnet_v2 import resnet_v2_101 as resnet_v2_101
from tfmini._src.contrib.slim.nets.resnet_v2 import resnet_v2_152 as resnet_v2_152
from tfmini._src.contrib.slim.nets.resnet_v2 import resnet_v2_200 as resnet_v2_200
from tfmini._src.contrib.slim.nets.resnet_v2 import resnet_v2_50 as resnet_v2_50
from tfmini._src.contrib.slim.nets.resnet_v2 import resnet_v2_block as resnet_v2_block
