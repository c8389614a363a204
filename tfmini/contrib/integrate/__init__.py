"""`tf.contrib.integrate`: ordinary differential equations, integrated with steps that adapt or that are given."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
