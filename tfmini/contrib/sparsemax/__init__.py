"""`tf.contrib.sparsemax`: probabilities that may be 0 (Martins and Astudillo, 2016), and their loss."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
