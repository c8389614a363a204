"""`tf.keras.applications.resnet_v2`: pre-activation residual networks."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
