"""Device placement of nodes: device names, device sets, colocation groups."""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
