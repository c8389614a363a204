"""`tf.contrib.slim.data`: description, parallel reading, decoding and queueing of data sets."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
