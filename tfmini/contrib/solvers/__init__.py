"""`tf.contrib.solvers`: systems of equations solved step by step, of matrices that are known by their products."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
