"""`tf.contrib.graph_editor`: finding, copying and rewiring operations and tensors of a graph."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
