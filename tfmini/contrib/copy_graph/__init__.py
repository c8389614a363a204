"""`tf.contrib.copy_graph`: nodes and variables copied from one graph to another, each with what it needs."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
