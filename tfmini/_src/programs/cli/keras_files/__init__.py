"""Keras files as sources of `export`; loaded lazily, since other commands do not need Keras."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
