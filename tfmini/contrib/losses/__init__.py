"""`tf.contrib.losses`: the losses from before `tf.losses`, and those that learn distances."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
