"""Program analyses: symbolic shapes, array ownership, def-use maps."""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
