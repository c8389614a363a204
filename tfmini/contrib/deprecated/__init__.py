"""`tf.contrib.deprecated`: summary functions from 2016, which accept tags as tensors."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
