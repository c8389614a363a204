"""`tf.contrib.receptive_field`: how large a part of an image each feature of a convolutional network sees."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
