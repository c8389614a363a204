"""Keras files as sources of `export`, loaded lazily: other commands do without Keras."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
