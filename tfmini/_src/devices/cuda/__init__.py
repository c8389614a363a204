"""GPUs through CuPy: discovering them, sharing them among the devices of a session, and running work on them."""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
