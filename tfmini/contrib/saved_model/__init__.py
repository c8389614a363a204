"""`tf.contrib.saved_model`: Keras models as SavedModels, under their names before 1.14."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
