from tfmini.contrib.slim.nets import alexnet as alexnet
from tfmini.contrib.slim.nets import inception as inception
from tfmini.contrib.slim.nets import overfeat as overfeat
from tfmini.contrib.slim.nets import resnet_utils as resnet_utils
from tfmini.contrib.slim.nets import resnet_v1 as resnet_v1
from tfmini.contrib.slim.nets import resnet_v2 as resnet_v2
from tfmini.contrib.slim.nets import vgg as vgg
