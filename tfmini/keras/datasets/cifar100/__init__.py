"""`tf.keras.datasets.cifar100`: 60,000 small images in 100 classes."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
