"""Placeholders for missing values: unset variables, functions that have not returned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


class Undefined:
    """Placeholder of an unset variable.

    Attributes:
      symbol_name: the variable name.
    """

    def __init__(self, symbol_name: str) -> None:
        self.symbol_name = symbol_name


class UndefinedReturnValue:
    """Return value of a function before any `return`; None to its caller."""


def defined_value(read: Callable[[], Any], name: str) -> Any:
    """Returns a variable's value, or an Undefined."""
    try:
        return read()
    except NameError:
        return Undefined(name)


def retval(value: Any) -> Any:
    """Returns the value returned to a function's caller."""
    return None if isinstance(value, UndefinedReturnValue) else value


def undefined_names(values: Sequence[Any]) -> tuple[str, ...]:
    """Returns the names of unset variables."""
    return tuple([value.symbol_name for value in values if isinstance(value, Undefined)])
