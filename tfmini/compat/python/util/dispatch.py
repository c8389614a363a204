"""`tensorflow.python.util.dispatch`: functions that libraries can extend to their own types.

A program's function decorated with `add_dispatch_support` falls back to its registered handlers if it does not support
the types of its arguments. The functions of `tf` itself do not support handlers.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

from tfmini.compat.python.util import tf_decorator, tf_inspect

__all__ = [
    "DISPATCH_ATTR",
    "OpDispatcher",
    "add_dispatch_list",
    "add_dispatch_support",
    "dispatch",
    "dispatch_for_types",
]

DISPATCH_ATTR = "_tf_dispatchers"


class OpDispatcher:
    """Base class of handlers for calls with arguments of other types; subclasses define `handle`."""

    NOT_SUPPORTED = object()

    def handle(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """Returns the result for these arguments, or NOT_SUPPORTED."""
        return self.NOT_SUPPORTED

    def register(self, op: Any) -> None:
        """Appends this handler to the handlers of a function.

        Raises:
          AssertionError: if the function does not support handlers.
        """
        if not hasattr(op, DISPATCH_ATTR):
            raise AssertionError(f"Dispatching not enabled for {op}")
        getattr(op, DISPATCH_ATTR).append(self)


class _ByTypes(OpDispatcher):
    """A handler that calls a function if an argument, or an element of one, is an instance of one of these types."""

    def __init__(self, function: Callable, types: tuple[type, ...]) -> None:
        self._function = function
        self._types = types

    def handle(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        for argument in itertools.chain(args, kwargs.values()):
            elements = argument if isinstance(argument, list | tuple) else ()
            if any(isinstance(value, self._types) for value in (argument, *elements)):
                return self._function(*args, **kwargs)
        return self.NOT_SUPPORTED


def dispatch(op: Any, *args: Any, **kwargs: Any) -> Any:
    """Returns the result of the first handler that supports the arguments, else `OpDispatcher.NOT_SUPPORTED`."""
    for handler in getattr(op, DISPATCH_ATTR):
        result = handler.handle(args, kwargs)
        if result is not OpDispatcher.NOT_SUPPORTED:
            return result
    return OpDispatcher.NOT_SUPPORTED


def dispatch_for_types(op: Any, *types: type) -> Callable[[Callable], Callable]:
    """Decorator that replaces `op` by the function for calls with an argument of one of these types.

    Raises:
      AssertionError: if their arguments differ, or `op` does not support handlers.
    """

    def decorate(function: Callable) -> Callable:
        if tf_inspect.getargspec(function) != tf_inspect.getargspec(op):
            raise AssertionError(
                "The decorated function's signature must exactly match the signature of the overridden op."
            )
        _ByTypes(function, types).register(op)
        return function

    return decorate


def add_dispatch_list(target: Any) -> Any:
    """Adds an empty list of handlers to a function; raises AssertionError if it already has one."""
    if hasattr(target, DISPATCH_ATTR):
        raise AssertionError(f"{target} already has a dispatch list")
    setattr(target, DISPATCH_ATTR, [])
    return target


def add_dispatch_support(target: Callable) -> Any:
    """Decorator that tries the handlers if the function raises TypeError or ValueError."""

    @functools.wraps(target)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return target(*args, **kwargs)
        except (TypeError, ValueError):
            result = dispatch(call, *args, **kwargs)
            if result is OpDispatcher.NOT_SUPPORTED:
                raise
            return result

    add_dispatch_list(call)
    return tf_decorator.make_decorator(target, call, "add_dispatch_support")
