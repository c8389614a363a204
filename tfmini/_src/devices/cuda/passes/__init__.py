"""The passes that GPUs add to the compiler's pipeline; `pipeline` defines their order."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
