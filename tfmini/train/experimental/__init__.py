"""`tf.train.experimental`: losses scaled for gradients of float16, Python's state in checkpoints."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
