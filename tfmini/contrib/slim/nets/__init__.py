"""Networks of `tf.contrib.slim.nets`: functions from images to logits and the outputs of all layers."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
