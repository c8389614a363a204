"""`tf.keras.applications.nasnet`: two cells that were found by search, stacked (Zoph and others 2017)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
