"""tf.data.experimental: transformations for `Dataset.apply`, readers, options, the types of elements."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
