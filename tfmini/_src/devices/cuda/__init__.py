"""GPUs through CuPy: discovery, sharing among a session's devices, and running on them."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
