"""`tf.contrib.stateless`: random numbers determined by their seeds, under pre-1.13 names."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
