"""`tf.contrib.solvers`: iterative solvers of linear systems whose matrices are defined by their products."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
