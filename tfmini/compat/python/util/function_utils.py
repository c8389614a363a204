"""`tensorflow.python.util.function_utils`: names of functions and their arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tfmini.compat.python.util import tf_decorator, tf_inspect

__all__ = ["fn_args", "get_func_code", "get_func_name", "has_kwargs"]


def fn_args(fn: Callable) -> tuple[str, ...]:
    """Returns the names of a function's arguments, without the object of a method and arguments bound by a partial."""
    if isinstance(fn, functools.partial):
        args = [a for a in fn_args(fn.func)[len(fn.args) :] if a not in fn.keywords]
        return tuple(args)
    args = tf_inspect.getfullargspec(fn).args
    target = tf_decorator.unwrap(fn)[1]
    is_object = not (tf_inspect.isroutine(target) or tf_inspect.isclass(target))
    return tuple(args[1:] if tf_inspect.ismethod(target) or is_object else args)


def has_kwargs(fn: Callable) -> bool:
    """Whether a function accepts arbitrary keywords; raises TypeError if it is not a function."""
    if isinstance(fn, functools.partial):
        fn = fn.func
    elif not callable(fn):
        raise TypeError(f"fn should be a function-like object, but is of type {type(fn)}.")
    return tf_inspect.getfullargspec(fn).varkw is not None


def get_func_name(func: Callable) -> str:
    """Returns the name of a function, "Class.name" for a method, or the class name for other callables.

    Raises:
      ValueError: if it is not callable.
    """
    target = tf_decorator.unwrap(func)[1]
    if not callable(target):
        raise ValueError(f"Argument must be callable: {func!r}.")
    if tf_inspect.ismethod(target):
        return f"{type(target.__self__).__name__}.{target.__func__.__name__}"
    return target.__name__ if tf_inspect.isfunction(target) else str(type(target))


def get_func_code(func: Callable) -> Any:
    """Returns the code object of a function; None if it is written in C.

    Raises:
      ValueError: if it is not callable.
    """
    target = tf_decorator.unwrap(func)[1]
    if not callable(target):
        raise ValueError(f"Argument must be callable: {func!r}.")
    if not hasattr(target, "__code__"):
        target = type(target).__call__
    return getattr(target, "__code__", None)
