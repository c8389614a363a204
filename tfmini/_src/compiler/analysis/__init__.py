"""Program analyses: symbolic shapes, array ownership, def-use maps."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
