"""Inception, version 2: with batch normalization (https://arxiv.org/abs/1502.03167)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
