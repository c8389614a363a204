"""`tf.contrib.slim.data_decoder`: interface for decoding records into items."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
