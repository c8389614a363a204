"""Per-thread stacks of default graphs and default sessions."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from tfmini._src.graph.graph import Graph

Item = TypeVar("Item")
# Fed values by target: tensors, names, composite values.
FeedDict: TypeAlias = Mapping[Any, Any]


class DefaultSession(Protocol):
    """The part of a session's interface that the graph uses."""

    @property
    def graph(self) -> Graph: ...

    def run(self, fetches: Any, feed_dict: FeedDict | None = None) -> Any: ...


class DefaultStack(threading.local, Generic[Item]):
    """A thread's stack of defaults; each entry also stores state captured when it was pushed."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.notes: list[Any] = []
        self.replacement: Item | None = None

    def top(self) -> Item | None:
        return self.items[-1] if self.items else None

    def push(self, item: Item, note_value: object = None) -> None:
        """Makes `item` the default."""
        self.items.append(item)
        self.notes.append(note_value)

    def remove(self, item: Item) -> None:
        """Removes the innermost occurrence of `item`, at any depth."""
        for position in range(len(self.items) - 1, -1, -1):
            if self.items[position] is item:
                del self.items[position], self.notes[position]
                break

    def clear(self) -> None:
        """Removes all entries."""
        self.items.clear()
        self.notes.clear()

    def replace_all(self, item: Item) -> None:
        """Makes `item` the only entry; it is removed when the innermost replaced block exits."""
        self.clear()
        self.push(item)
        self.replacement = item

    def as_default(self, item: Item, note: object = None) -> StackEntryContext[Item]:
        """Context manager that makes `item` the default for its block."""
        return StackEntryContext(self, item, note)


class StackEntryContext(Generic[Item]):
    """The context manager returned by `DefaultStack.as_default`."""

    def __init__(self, stack: DefaultStack[Item], item: Item, note: object):
        self._stack = stack
        self._item = item
        self._note = note

    def __enter__(self) -> Item:
        stack = self._stack
        stack.items.append(self._item)
        stack.notes.append(self._note)
        return self._item

    def __exit__(self, *unused: object) -> None:
        stack = self._stack
        if not stack.items:  # after `clear`
            return
        if stack.items[-1] is not self._item and stack.items[-1] is not stack.replacement:
            raise AssertionError(
                f"Nesting violated for default stack of {type(self._item)} objects"
            )
        stack.items.pop()
        stack.notes.pop()


class EagerMode:
    """Graph stack entry for eager blocks, which have no default graph."""


EAGER: Any = EagerMode()

graphs: DefaultStack[Graph] = DefaultStack()
sessions: DefaultStack[DefaultSession] = DefaultStack()


def get_default_session() -> DefaultSession | None:
    """Returns the innermost session entered in this thread (`with sess:`); None if none is entered."""
    return sessions.top()
