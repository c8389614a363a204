"""Parameter names of user functions."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

_POSITIONAL_KINDS = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def parameter_names(function: Callable) -> tuple[str, ...]:
    """Returns the parameter names of a function, without `self` and without parameters bound by a partial."""
    if not callable(function):
        raise TypeError("unsupported callable")
    if isinstance(function, functools.partial):
        remaining = parameter_names(function.func)[len(function.args) :]
        return tuple(name for name in remaining if name not in function.keywords)
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # raised for builtins without a signature
        raise TypeError("unsupported callable") from None
    return tuple(p.name for p in parameters if p.kind in _POSITIONAL_KINDS)


def accepted_arguments(function: Callable, values: dict[str, Any]) -> dict[str, Any]:
    """Returns the subset of values that a function accepts."""
    parameters = parameter_names(function)
    return {name: value for name, value in values.items() if name in parameters}
