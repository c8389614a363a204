"""Networks of `tf.contrib.slim.nets`: functions from images to logits and the outputs of all layers."""

from tfmini.contrib.slim.nets import (
    alexnet,
    inception,
    overfeat,
    resnet_utils,
    resnet_v1,
    resnet_v2,
    vgg,
)
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["alexnet", "inception", "overfeat", "resnet_utils", "resnet_v1", "resnet_v2", "vgg"]

_namespace(globals())
