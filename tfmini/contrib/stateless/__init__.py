"""`tf.contrib.stateless`: random numbers that their seeds alone decide, under their names of before 1.13."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
