"""`tf.contrib.learn.ops`: embedded categories, outputs with losses, and sequence-to-sequence models as functions."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
