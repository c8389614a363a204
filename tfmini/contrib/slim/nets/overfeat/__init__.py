"""OverFeat, fast version: five convolutions and three pooling layers (https://arxiv.org/abs/1312.6229)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
