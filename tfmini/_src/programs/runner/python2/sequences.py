"""Built-in sequence functions that return lists."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Iterable
from typing import Any

from tfmini._src.programs.runner.python2.text import text


def range_(*args: Any) -> Any:
    """Implements `range`, which returns a list."""
    return list(range(*map(_as_index, args)))


def _as_index(value: Any) -> Any:
    return int(value) if isinstance(value, float) else value


class _Ranges(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, range)


class xrange(metaclass=_Ranges):
    """Python 2's `xrange`."""

    def __new__(cls, *args: Any) -> Any:
        return range(*map(_as_index, args))


def map_(function: Any, *sequences: Iterable[Any]) -> list[Any]:
    """Implements `map`, which returns a list as long as the longest sequence; of tuples if the function is None."""
    function = text if function is str else function
    if len(sequences) == 1:
        return list(sequences[0]) if function is None else list(builtins.map(function, *sequences))
    rows = itertools.zip_longest(*sequences)
    return list(rows) if function is None else [function(*row) for row in rows]


def filter_(function: Any, sequence: Any) -> Any:
    """Implements `filter`, which returns text for text, a tuple for a tuple, else a list."""
    items = list(builtins.filter(function, sequence))
    if type(sequence) is str:
        return "".join(items)
    return tuple(items) if type(sequence) is tuple else items


def zip_(*sequences: Iterable[Any]) -> list[tuple]:
    """Implements `zip`, which returns a list."""
    return list(builtins.zip(*sequences))


def apply(function: Any, args: Any = (), kwargs: Any = None) -> Any:
    """Implements `apply`."""
    return function(*args, **(kwargs or {}))
