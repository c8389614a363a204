"""`tf.keras.applications.mobilenet`: convolutions of each channel, then 1 x 1, for phones (Howard and others 2017)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
