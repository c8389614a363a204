"""`tf.distribute.cluster_resolver`: resolvers of a cluster and a process's task in it."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
