"""`tf.saved_model.signature_constants`: methods of TensorFlow Serving, and the keys that each wants."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
