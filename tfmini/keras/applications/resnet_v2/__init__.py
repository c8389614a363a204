"""`tf.keras.applications.resnet_v2`: residual networks with activations first."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
