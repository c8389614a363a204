"""`tensorflow.python.framework.traceable_stack`: a stack that records where objects were pushed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

__all__ = ["TraceableObject", "TraceableStack"]


class TraceableObject:
    """An object, and a location in the program's sources."""

    SUCCESS, HEURISTIC_USED, FAILURE = 0, 1, 2

    def __init__(self, obj: Any, filename: str | None = None, lineno: int | None = None):
        self.obj = obj
        self.filename = filename
        self.lineno = lineno

    def set_filename_and_line_from_caller(self, offset: int = 0) -> int:
        """Sets the location from the stack, `offset` frames above the caller; returns HEURISTIC_USED if too deep."""
        frame = sys._getframe(1)
        for _ in range(offset):
            if frame.f_back is None:
                result = self.HEURISTIC_USED
                break
            frame = frame.f_back
        else:
            result = self.SUCCESS
        self.filename, self.lineno = frame.f_code.co_filename, frame.f_lineno
        return result

    def copy_metadata(self) -> TraceableObject:
        """Returns a copy of the location, without the object."""
        return type(self)(None, self.filename, self.lineno)


class TraceableStack:
    """A stack of objects with the locations at which they were pushed."""

    def __init__(self, existing_stack: list[TraceableObject] | None = None):
        self._stack = list(existing_stack or ())

    def push_obj(self, obj: Any, offset: int = 0) -> int:
        """Pushes an object, with a location `offset` frames above the caller."""
        entry = TraceableObject(obj)
        self._stack.append(entry)
        return entry.set_filename_and_line_from_caller(offset + 1)

    def pop_obj(self) -> Any:
        """Removes and returns the newest object."""
        return self._stack.pop().obj

    def peek_top_obj(self) -> Any:
        """Returns the newest object."""
        return self._stack[-1].obj

    def peek_objs(self) -> Iterator[Any]:
        """Returns the objects, newest first."""
        return (entry.obj for entry in reversed(self._stack))

    def peek_traceable_objs(self) -> Iterator[TraceableObject]:
        """Returns the objects with their locations, newest first."""
        return reversed(self._stack)

    def __len__(self) -> int:
        return len(self._stack)

    def copy(self) -> TraceableStack:
        """Returns another stack of the same objects."""
        return TraceableStack(self._stack)
