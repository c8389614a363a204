"""Building blocks of residual networks: units, convolutions with symmetric padding, the arguments of all layers."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
