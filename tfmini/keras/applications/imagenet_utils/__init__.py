"""`tf.keras.applications.imagenet_utils`: image preprocessing and class names for ImageNet models."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
