"""`tf.keras.datasets.boston_housing`: 506 districts of Boston and what houses cost there."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
