"""`tf.gfile`: files and folders, with TensorFlow's errors; `tf.io.gfile` has newer names for the same functions."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
