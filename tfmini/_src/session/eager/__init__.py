"""Eager execution: ops that run at once, on the plans of the compiler.

Ops are called as in graph mode; `graph/eager/execution_mode.py` hands them to `execute.py` here, which looks up the
plan of one op (`compiled_op.py`) by op, dtypes, attrs and devices. `context.py` keeps devices, state and seeds. Begin
with `execute.py`.
"""

from tfmini._src.base.names.late_imports import late_modules

__getattr__ = late_modules(__name__)
