"""`tf.keras.mixed_precision`: dtype policies of layers, and loss scaling for float16 gradients."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
