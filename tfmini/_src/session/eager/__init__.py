"""Eager execution: runs ops immediately, through compiled single-op plans.

Ops are called as in graph mode; `graph/eager/execution_mode.py` dispatches them to `execute.py` here, which looks up
the op's plan (`compiled_op.py`) by op, dtypes, attrs and devices. `context.py` owns devices and state. Start reading
at `execute.py`.
"""

from tfmini._src.base.names.lazy_imports import lazy_modules

__getattr__ = lazy_modules(__name__)
