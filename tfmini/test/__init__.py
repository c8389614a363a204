"""`tf.test`: a test case with sessions and assertions on arrays, numeric gradients, comparing graphs, benchmarks."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
