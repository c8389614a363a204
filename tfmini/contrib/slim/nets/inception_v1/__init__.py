"""Inception, version 1 (GoogLeNet, https://arxiv.org/abs/1409.4842)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
