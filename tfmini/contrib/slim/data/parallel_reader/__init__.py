"""`tf.contrib.slim.parallel_reader`: parallel readers of files that share a queue."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
