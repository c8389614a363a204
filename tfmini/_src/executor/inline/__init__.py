"""Calls, functional conditions and loops become nodes of a second graph, before anything is pruned.

Above plan, for a call that waits for a value compiles when it runs.
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
