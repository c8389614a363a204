"""Generic graph traversal: over nodes, operations, layers and so on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def reachable_from(
    starts: Iterable[Item], following: Callable[[Item], Iterable[Item]]
) -> dict[Item, None]:
    """Returns all items reachable from `starts`, each once, in depth-first order; `following` returns successors."""
    items: dict[Item, None] = {}
    waiting = list(starts)
    while waiting:
        item = waiting.pop()
        if item not in items:
            items[item] = None
            waiting += following(item)
    return items
