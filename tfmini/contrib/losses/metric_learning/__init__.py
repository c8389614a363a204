"""`tf.contrib.losses.metric_learning`: losses of embeddings, close for equal labels and distant otherwise."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
