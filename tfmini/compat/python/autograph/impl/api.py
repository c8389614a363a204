"""`tensorflow.python.autograph.impl.api`: the functions without public names."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from tfmini._src.autograph.convert import convert, do_not_convert
from tfmini._src.autograph.converted_call import callee
from tfmini._src.graph.autograph_status import Status, conversion
from tfmini.compat.python.autograph.core.ag_ctx import ControlStatusCtx
from tfmini.compat.python.autograph.core.converter import ConversionOptions
from tfmini.compat.python.util import tf_decorator

__all__ = ["call_with_unspecified_conversion_status", "converted_call", "tf_convert"]


def converted_call(
    f: Any, options: ConversionOptions, args: tuple, kwargs: Any, caller_fn_scope: Any = None
) -> Any:
    """Calls a function, converted as in calls from converted code, and returns the result."""
    return callee(f, options.of_function())(*args, **(kwargs or {}))


def call_with_unspecified_conversion_status(func: Callable) -> Callable:
    """Wraps a function to run with the status of a program that does not use AutoGraph."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with conversion(Status.UNSPECIFIED):
            return func(*args, **kwargs)

    if inspect.isfunction(func) or inspect.ismethod(func):
        functools.update_wrapper(wrapper, func)
    wrapper.__ag_compiled = True  # type: ignore[attr-defined]
    return wrapper


def tf_convert(
    f: Any, ctx: ControlStatusCtx, convert_by_default: bool = True, user_requested: bool = False
) -> Any:
    """Converts a function if a status requests it.

    Args:
      f: the function.
      ctx: the status.
      convert_by_default: whether to convert it if the status is unspecified.
      user_requested: whether library functions are converted too.
    """
    if hasattr(f, "__ag_compiled"):
        return f
    decorators, target = tf_decorator.unwrap(f)
    if ctx.status is Status.DISABLED:
        converted = do_not_convert(target)
    elif ctx.status is Status.ENABLED or convert_by_default:
        converted = convert(recursive=True, user_requested=user_requested)(target)
    else:
        converted = call_with_unspecified_conversion_status(target)
    if decorators:
        converted = tf_decorator.rewrap(f, target, converted)
    converted.__ag_compiled = True
    return converted
