"""`tf.keras.datasets.reuters`: 11,228 newswires on 46 topics as word indices."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
