"""Keras files as sources of `export`; loaded lazily, since other commands do not need Keras."""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
