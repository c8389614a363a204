"""`tf.keras.wrappers.scikit_learn`: models with the methods of scikit-learn's estimators."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
