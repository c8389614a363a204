"""`tf.keras.applications.inception_resnet_v2`: Inception with residual connections (Szegedy et al., 2016)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
