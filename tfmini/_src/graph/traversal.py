"""Generic graph traversal: over nodes, operations, layers and so on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def reachable_from(
    starts: Iterable[Item], successors: Callable[[Item], Iterable[Item]]
) -> dict[Item, None]:
    """Returns all items reachable from `starts` by `successors`, each once, in depth-first order."""
    items: dict[Item, None] = {}
    waiting = list(starts)
    while waiting:
        item = waiting.pop()
        if item not in items:
            items[item] = None
            waiting += successors(item)
    return items
