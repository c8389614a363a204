"""`tf.saved_model.signature_constants`: TensorFlow Serving's methods and their keys."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
