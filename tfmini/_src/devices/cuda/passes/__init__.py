"""The passes that GPUs add to the compiler; `pipeline` defines their order."""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
