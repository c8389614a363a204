"""`tf.contrib.checkpoint`: what checkpoints of objects save, and what they have."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
