"""Selection, capture and replay of a plan's segments as CUDA graphs."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
