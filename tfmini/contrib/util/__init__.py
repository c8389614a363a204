"""`tf.contrib.util`: constant protos, the ops of a GraphDef, static tensor values."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
