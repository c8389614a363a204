"""`tf.keras.datasets.reuters`: 11,228 pieces of news of 46 topics, as numbers of words."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
