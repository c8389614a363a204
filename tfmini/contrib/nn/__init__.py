"""`tf.contrib.nn`: dropout for SELU, a scaled softplus, losses, and two functions of `tf.nn`."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
