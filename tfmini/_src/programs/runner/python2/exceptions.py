"""The `raise` statement with two or three parts, and removed attributes of exceptions and functions."""

from __future__ import annotations

from types import FunctionType
from typing import Any

# Current attributes by old name.
ATTRIBUTES = {
    "func_closure": "__closure__",
    "func_code": "__code__",
    "func_defaults": "__defaults__",
    "func_dict": "__dict__",
    "func_doc": "__doc__",
    "func_globals": "__globals__",
    "func_name": "__name__",
    "im_class": "__class__",
    "im_func": "__func__",
    "im_self": "__self__",
    "message": "",
}


def create_exception(exc_type: Any, value: Any, traceback: Any = None) -> BaseException:
    """Returns the exception raised by Python 2's `raise exc_type, value, traceback`."""
    if isinstance(exc_type, BaseException):
        error = exc_type
    elif isinstance(value, exc_type):
        error = value
    elif value is None:
        error = exc_type()
    else:
        error = exc_type(*value) if isinstance(value, tuple) else exc_type(value)
    return error.with_traceback(traceback) if traceback is not None else error


def attribute(value: Any, name: str) -> Any:
    """Returns `value.name`, for a removed name."""
    try:
        return getattr(value, name)
    except AttributeError:
        if name == "message" and isinstance(value, BaseException):
            return value.args[0] if len(value.args) == 1 else ""
        if name == "im_func" and isinstance(value, FunctionType):  # a function of a class
            return value
        new = ATTRIBUTES[name]
        if not new or not hasattr(value, new):
            raise
    return getattr(value, new)
