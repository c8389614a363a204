"""`tf.keras.datasets`: small data sets, read from ~/.keras/datasets, where they are fetched if they are not there."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
