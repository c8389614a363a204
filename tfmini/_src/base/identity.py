"""Identity-based sequence search: `==` and `in` compare tensor values if tensor equality is enabled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def is_in(item: Any, items: Iterable[Any]) -> bool:
    """Whether `items` contains this very object."""
    return any(element is item for element in items)


def index_in(item: Any, items: Iterable[Any]) -> int:
    """Returns the index of the first occurrence of this very object; raises ValueError if it is not in the sequence."""
    for position, element in enumerate(items):
        if element is item:
            return position
    raise ValueError(f"{item!r} is not in the sequence")


def are_same(first: Iterable[Any], second: Iterable[Any]) -> bool:
    """Whether two sequences contain the same objects in the same order."""
    first, second = list(first), list(second)
    return len(first) == len(second) and all(a is b for a, b in zip(first, second))
