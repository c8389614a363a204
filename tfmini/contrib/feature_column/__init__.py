"""`tf.contrib.feature_column`: columns of sequences, and the layer that takes them in."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
