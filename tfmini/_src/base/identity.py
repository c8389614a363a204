"""Sequences searched by identity: `==` and `in` compare the values of tensors where tensor equality is enabled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def is_in(item: Any, items: Iterable[Any]) -> bool:
    """Whether this very object is one of them."""
    return any(each is item for each in items)


def index_in(item: Any, items: Iterable[Any]) -> int:
    """The first place of this very object.

    Raises:
      ValueError: if it is none of them.
    """
    for place, each in enumerate(items):
        if each is item:
            return place
    raise ValueError(f"{item!r} is not in the sequence")


def are_same(first: Iterable[Any], second: Iterable[Any]) -> bool:
    """Whether two sequences have the same objects in the same order."""
    first, second = list(first), list(second)
    return len(first) == len(second) and all(a is b for a, b in zip(first, second))
