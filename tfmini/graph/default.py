"""The default graph and the default session: one stack of each per thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class DefaultStack(threading.local):
    """A thread's stack of defaults."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.enforce_nesting = True

    def top(self) -> Any:
        return self.items[-1] if self.items else None

    @contextmanager
    def pushed(self, item: Any) -> Iterator[Any]:
        self.items.append(item)
        try:
            yield item
        finally:
            if self.enforce_nesting and self.items[-1] is not item:
                raise AssertionError(f"Nesting violated for default stack of {type(item)} objects")
            # With nesting not enforced, the item may have been buried by a later one.
            for position in range(len(self.items) - 1, -1, -1):
                if self.items[position] is item:
                    del self.items[position]
                    break


graphs = DefaultStack()
sessions = DefaultStack()


def get_default_session() -> Any:
    """The innermost session entered in this thread (`with sess:`), or None."""
    return sessions.top()
