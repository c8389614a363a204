"""Shared parts of data sets: their pieces by name, tables of comma-separated values, files that are fetched once."""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
