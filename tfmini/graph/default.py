"""The default graph and the default session: one stack of each per thread."""

from __future__ import annotations

import threading
from typing import Any


class DefaultStack(threading.local):
    """A thread's stack of defaults."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.enforce_nesting = True

    def top(self) -> Any:
        return self.items[-1] if self.items else None

    def pushed(self, item: Any) -> Pushed:
        """A context manager that makes `item` the default of its block."""
        return Pushed(self, item)


class Pushed:
    """The block of a default."""

    def __init__(self, stack: DefaultStack, item: Any):
        self._stack = stack
        self._item = item

    def __enter__(self) -> Any:
        self._stack.items.append(self._item)
        return self._item

    def __exit__(self, *unused: Any) -> None:
        items = self._stack.items
        if self._stack.enforce_nesting and (not items or items[-1] is not self._item):
            raise AssertionError(
                f"Nesting violated for default stack of {type(self._item)} objects"
            )
        # With nesting not enforced, the item may have been buried by a later one.
        for position in range(len(items) - 1, -1, -1):
            if items[position] is self._item:
                del items[position]
                break


graphs = DefaultStack()
sessions = DefaultStack()


def get_default_session() -> Any:
    """The innermost session entered in this thread (`with sess:`), or None."""
    return sessions.top()
