"""Overrides of public functions by other classes: `tf.matmul(operator, x)` is the operator's own product.

A function says `@overridable`; where its own body refuses its arguments, what `override` registered for
the class of one of them answers instead.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from tfmini._src.graph.public_functions import Function

_OVERRIDES: dict[str, list[tuple[type, Callable[..., Any]]]] = {}


def overridable(function: Function) -> Function:
    """`function`, falling back to its overrides when it raises TypeError or ValueError."""
    overrides = _OVERRIDES.setdefault(function.__name__, [])

    @functools.wraps(function)
    def asking(*args: object, **kwargs: object) -> Any:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError):
            for kind, replacement in overrides:
                if _holds(kind, (*args, *kwargs.values())):
                    return replacement(*args, **kwargs)
            raise

    return asking  # type: ignore[return-value]


def override(name: str, kind: type) -> Callable[[Function], Function]:
    """Registers what `name`, an overridable function, does with an argument of class `kind`."""

    def register(replacement: Function) -> Function:
        _OVERRIDES.setdefault(name, []).append(
            (kind, replacement)
        )  # the function may be loaded later
        return replacement

    return register


def _holds(kind: type, values: Iterable[object]) -> bool:
    """Whether one of the values, or of the items of a list among them, is of class `kind`."""
    return any(
        isinstance(item, kind)
        for value in values
        for item in (value if isinstance(value, list | tuple) else [value])
    )
