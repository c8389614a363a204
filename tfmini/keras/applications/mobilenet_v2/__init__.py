"""`tf.keras.applications.mobilenet_v2`: inverted residuals and linear bottlenecks (Sandler et al., 2018)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
