"""`tf.contrib.losses.metric_learning`: losses that bring embeddings with equal labels close together."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
