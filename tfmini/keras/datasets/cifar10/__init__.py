"""`tf.keras.datasets.cifar10`: 60,000 small pictures of ten kinds of things."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
