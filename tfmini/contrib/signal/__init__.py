"""`tf.contrib.signal`: frames, windows and spectra of `tf.signal`, under its name before 1.13."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
