"""Reports of runs on GPUs, for `TFMINI_DEBUG=gpu`."""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
