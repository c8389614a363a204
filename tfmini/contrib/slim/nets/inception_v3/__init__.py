"""Inception, version 3: with factorized convolutions (https://arxiv.org/abs/1512.00567)."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
