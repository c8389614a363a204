"""GPUs through CuPy: discovery, sharing among a session's devices, and running on them."""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
