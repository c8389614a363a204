"""tf.contrib.tfprof: the profiler by its older names; `tf.profiler` has what they stand for."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
