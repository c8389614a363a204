"""`tf.keras.applications.inception_v3`: branches of convolutions side by side (Szegedy and others 2015)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
