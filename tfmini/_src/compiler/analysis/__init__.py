"""Facts read off a program without changing it: symbolic shapes, who owns an array."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
