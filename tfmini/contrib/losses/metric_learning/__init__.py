"""`tf.contrib.losses.metric_learning`: losses of embeddings, near where labels agree and far where they differ."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
