"""Placeholders for missing values: variables that are not set, functions that have not returned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


class Undefined:
    """A placeholder for a variable without a value.

    Attributes:
      symbol_name: the variable.
    """

    def __init__(self, symbol_name: str) -> None:
        self.symbol_name = symbol_name


class UndefinedReturnValue:
    """The return value of a function before any `return`; None to its caller."""


def value_of(read: Callable[[], Any], name: str) -> Any:
    """The value of a variable, or an Undefined."""
    try:
        return read()
    except NameError:
        return Undefined(name)


def retval(value: Any) -> Any:
    """The value that a function returns to its caller."""
    return None if isinstance(value, UndefinedReturnValue) else value


def undefined(values: Sequence[Any]) -> tuple[str, ...]:
    """The names of variables that have no value."""
    return tuple([value.symbol_name for value in values if isinstance(value, Undefined)])
