"""`tf.contrib.framework`: conditionals, nested structures, names, checks, variables by name, global step."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
