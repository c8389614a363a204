"""`tf.contrib.signal`: name before 1.13 of `tf.signal`'s frames, windows and spectra."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
