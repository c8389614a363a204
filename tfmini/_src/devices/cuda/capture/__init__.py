"""Selection, capture and replay of a plan's segments as CUDA graphs."""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
