"""`tf.version`: the release of TensorFlow whose programs these are, and of its graphs."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
