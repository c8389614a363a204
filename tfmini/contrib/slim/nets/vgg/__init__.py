"""VGG networks with 11, 16 and 19 layers of small filters (https://arxiv.org/abs/1409.1556)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
