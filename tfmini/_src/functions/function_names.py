"""Names of graph functions: the Python function's name with a number."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable

# Part of the names of traced functions, and of their parts.
function_numbers = itertools.count(1)


def function_name(func: Callable) -> str:
    """Returns `f` for a function, `Class.f` for a method, and the string form of other callables."""
    if inspect.isfunction(func):
        return func.__name__
    if inspect.ismethod(func):
        return f"{type(func.__self__).__name__}.{func.__func__.__name__}"
    if not callable(func):
        raise ValueError("Argument must be callable")
    return str(type(func))
