"""`tf.contrib.cluster_resolver`: older name of `tf.distribute.cluster_resolver`."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
