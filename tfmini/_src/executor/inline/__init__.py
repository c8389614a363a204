"""Inlining: expands calls, functional conditionals and loops into a second graph, before pruning.

Layered above `plan`, because calls that are not inlined are compiled at run time.
"""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
