"""`tf.contrib.mixed_precision`: loss scaling, which keeps small float16 gradients from underflowing."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
