"""One walk through graphs of any kind: nodes by name, operations, layers, programs' nodes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def reached(
    starts: Iterable[Item], following: Callable[[Item], Iterable[Item]]
) -> dict[Item, None]:
    """`starts` and all that is reached from them, each once, in the order of a walk in depth.

    Args:
      starts: where the walk begins.
      following: the next ones of an item; none where the walk is to stop.
    """
    found: dict[Item, None] = {}
    waiting = list(starts)
    while waiting:
        item = waiting.pop()
        if item not in found:
            found[item] = None
            waiting += following(item)
    return found
