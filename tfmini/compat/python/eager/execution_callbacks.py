"""`tensorflow.python.eager.execution_callbacks`: callbacks after each op, and errors for infinities and NaNs."""

from tfmini._src.session.eager.execution_callbacks import (
    ExecutionCallback,
    InfOrNanError,
    add_execution_callback,
    clear_execution_callbacks,
    errstate,
    inf_callback,
    inf_nan_callback,
    nan_callback,
    seterr,
)

__all__ = [
    "ExecutionCallback",
    "InfOrNanError",
    "add_execution_callback",
    "clear_execution_callbacks",
    "errstate",
    "inf_callback",
    "inf_nan_callback",
    "nan_callback",
    "seterr",
]
