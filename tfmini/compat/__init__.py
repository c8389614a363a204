"""`tf.compat`: text and bytes, number types, static dimensions; `tf.compat.v1` is `tf` itself.

`behavior` contains the switches between TensorFlow 1 and 2 behavior that `tf` offers.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
