"""The default graph and the default session: one stack of each per thread."""

from __future__ import annotations

import threading
from typing import Any


class DefaultStack(threading.local):
    """A thread's stack of defaults, each with a note on the state at the time when it became the default."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.notes: list[Any] = []
        self.enforce_nesting = True

    def top(self) -> Any:
        return self.items[-1] if self.items else None

    def push(self, item: Any, note: Any = None) -> None:
        """Makes `item` the default."""
        self.items.append(item)
        self.notes.append(note)

    def remove(self, item: Any) -> None:
        """Removes the innermost `item`, wherever it is."""
        for position in range(len(self.items) - 1, -1, -1):
            if self.items[position] is item:
                del self.items[position], self.notes[position]
                break

    def clear(self) -> None:
        """Removes everything."""
        self.items.clear()
        self.notes.clear()

    def pushed(self, item: Any, note: Any = None) -> Pushed:
        """A context manager that makes `item` the default of its block."""
        return Pushed(self, item, note)


class Pushed:
    """The block of a default."""

    def __init__(self, stack: DefaultStack, item: Any, note: Any):
        self._stack = stack
        self._item = item
        self._note = note

    def __enter__(self) -> Any:
        self._stack.push(self._item, self._note)
        return self._item

    def __exit__(self, *unused: Any) -> None:
        items = self._stack.items
        if self._stack.enforce_nesting and (not items or items[-1] is not self._item):
            raise AssertionError(
                f"Nesting violated for default stack of {type(self._item)} objects"
            )
        self._stack.remove(self._item)  # with nesting not enforced, a later one may lie on it


graphs = DefaultStack()
sessions = DefaultStack()


def get_default_session() -> Any:
    """The innermost session entered in this thread (`with sess:`), or None."""
    return sessions.top()
