"""Residual networks, version 1: normalization and activation after each convolution (https://arxiv.org/abs/1512.03385)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
