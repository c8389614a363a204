"""Residual networks, version 2: normalization and activation before each convolution (https://arxiv.org/abs/1603.05027)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
