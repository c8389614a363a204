"""The name of a Python function, as functions of graphs are named after it."""

from __future__ import annotations

import inspect
from collections.abc import Callable


def function_name(func: Callable) -> str:
    """`f` for a function, `Class.f` for a method, the type's text for another object that can be called."""
    if inspect.isfunction(func):
        return func.__name__
    if inspect.ismethod(func):
        return f"{type(func.__self__).__name__}.{func.__func__.__name__}"
    return str(type(func))
