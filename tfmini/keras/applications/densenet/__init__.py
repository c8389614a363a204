"""`tf.keras.applications.densenet`: each layer sees the results of all before it (Huang and others 2016)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
