"""Networks of `tf.contrib.slim.nets`: functions from images to logits and the outputs of all layers."""

from tfmini.contrib.slim.nets import alexnet, overfeat, vgg
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["alexnet", "overfeat", "vgg"]

_namespace(globals())
