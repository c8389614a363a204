"""`mark_used` of the results that TensorFlow reports if a program does not use them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from tfmini._src.graph.eager.execution_mode import executing_eagerly

P = ParamSpec("P")
R = TypeVar("R")


def should_use_result(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator that adds a method `mark_used` to a function's results in graphs.

    The method has no effect, because unused results are not reported.
    """

    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        result: Any = function(*args, **kwargs)
        if result is not None and not executing_eagerly():
            result.mark_used = _mark_used
        return result  # type: ignore[no-any-return]

    return wrapper


def _mark_used() -> None:
    """Returns None."""
