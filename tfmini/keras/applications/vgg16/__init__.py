"""`tf.keras.applications.vgg16`: Simonyan's and Zisserman's network of 16 layers."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
