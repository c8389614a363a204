"""`tf.contrib.slim.tfexample_decoder`: decodes serialized Examples into items with handlers."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
