"""`tf.saved_model.constants`: file, folder and collection names in a SavedModel."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
