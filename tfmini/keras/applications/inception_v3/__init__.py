"""`tf.keras.applications.inception_v3`: parallel convolution branches (Szegedy et al., 2015)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
