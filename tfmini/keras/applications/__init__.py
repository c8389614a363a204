"""`tf.keras.applications`: models of ImageNet's classes, what they want and what their results mean.

    frame                       arguments, checks, input, top and files of weights, which all have
    vgg, residual, densenet ... an architecture each: its sizes and depths as a table, its blocks as functions
    imagenet_utils, preparing   images as the weights were trained on them, names of classes

Names of layers and of weights are those of the published files.
"""

from tfmini.keras.applications import (
    densenet,
    imagenet_utils,
    inception_resnet_v2,
    inception_v3,
    mobilenet,
    mobilenet_v2,
    nasnet,
    resnet,
    resnet50,
    resnet_v2,
    vgg16,
    vgg19,
    xception,
)
from tfmini.keras.applications.densenet import DenseNet121, DenseNet169, DenseNet201
from tfmini.keras.applications.inception_resnet_v2 import InceptionResNetV2
from tfmini.keras.applications.inception_v3 import InceptionV3
from tfmini.keras.applications.mobilenet import MobileNet
from tfmini.keras.applications.mobilenet_v2 import MobileNetV2
from tfmini.keras.applications.nasnet import NASNetLarge, NASNetMobile
from tfmini.keras.applications.residual import (
    ResNet50,
    ResNet50V2,
    ResNet101,
    ResNet101V2,
    ResNet152,
    ResNet152V2,
)
from tfmini.keras.applications.vgg import VGG16, VGG19
from tfmini.keras.applications.xception import Xception
from tfmini.names.namespaces import namespace as _namespace

__all__ = [
    "DenseNet121",
    "DenseNet169",
    "DenseNet201",
    "InceptionResNetV2",
    "InceptionV3",
    "MobileNet",
    "MobileNetV2",
    "NASNetLarge",
    "NASNetMobile",
    "ResNet50",
    "ResNet50V2",
    "ResNet101",
    "ResNet101V2",
    "ResNet152",
    "ResNet152V2",
    "VGG16",
    "VGG19",
    "Xception",
    "densenet",
    "imagenet_utils",
    "inception_resnet_v2",
    "inception_v3",
    "mobilenet",
    "mobilenet_v2",
    "nasnet",
    "resnet",
    "resnet50",
    "resnet_v2",
    "vgg16",
    "vgg19",
    "xception",
]

_namespace(globals())
