"""Reports of runs on GPUs, for `TFMINI_DEBUG=gpu`."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
