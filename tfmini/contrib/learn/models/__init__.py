"""`tf.contrib.learn.models`: the ends of models as functions, and recurrent nets before them."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
