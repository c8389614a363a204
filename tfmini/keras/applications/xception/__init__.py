"""`tf.keras.applications.xception`: convolutions of each channel, then of all at a place (Chollet 2016)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
