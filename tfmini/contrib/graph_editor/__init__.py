"""`tf.contrib.graph_editor`: operations and tensors of a graph found, copied, and given other inputs."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
