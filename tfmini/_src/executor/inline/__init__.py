"""Inlining: expands calls, functional conditionals and loops into a second graph, before pruning.

Layered above `plan`, because calls that are not inlined are compiled at run time.
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
