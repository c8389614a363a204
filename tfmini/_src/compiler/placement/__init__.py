"""Device placement of nodes: device names, device sets, colocation groups."""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
