"""`tf.keras.mixed_precision`: dtypes of layers, and losses that are scaled for gradients of float16."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
