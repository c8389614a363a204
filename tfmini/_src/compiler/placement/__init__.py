"""Placement of nodes on devices: device names and sets, colocation."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
