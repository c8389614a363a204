"""`tf.keras.datasets.fashion_mnist`: 70,000 images of clothing."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
