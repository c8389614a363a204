"""Functions that take the arguments of another: the list stands once, and `inspect` and editors show it for each."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def arguments_of(model: Function) -> Callable[[Callable[..., Any]], Function]:
    """Decorates a function that gets the arguments of `model`, all of them, in order, defaults filled in.

        @arguments_of(true_positives)
        def false_positives(*given):
            return _counted("false_positives", False, True, *given)

    Args:
      model: the function whose names, order and defaults of arguments count.
    """
    order = inspect.signature(model)

    def decorate(function: Callable[..., Any]) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                bound = order.bind(*args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            bound.apply_defaults()
            return function(*bound.args)

        functools.update_wrapper(call, function)
        del call.__wrapped__  # type: ignore[attr-defined]  # it takes others
        call.__signature__ = order  # type: ignore[attr-defined]
        return call

    return decorate
