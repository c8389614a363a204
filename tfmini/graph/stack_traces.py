"""The user's line: where in the program a node was made.

Walking the frames and keeping (code, instruction) pairs costs about a microsecond; text is made of
them only when an error is shown.
"""

from __future__ import annotations

import linecache
import os
import sys
from types import CodeType, FrameType
from typing import NamedTuple

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class Location(NamedTuple):
    """One line of a stack: as in `traceback.FrameSummary`, without its source text."""

    filename: str
    lineno: int
    name: str


Frames = tuple[tuple[CodeType, int], ...]


_bottom: set[CodeType] = set()


def hide_below(code: CodeType) -> None:
    """Leaves frames of this code, and those that called them, out of what is shown: they start the program."""
    _bottom.add(code)


def _shown(frames: Frames) -> Frames:
    for depth, (code, _) in enumerate(frames):
        if code in _bottom:
            return frames[:depth]
    return frames


def capture(depth: int = 1) -> Frames:
    """The stack of the caller, innermost first, as (code, instruction offset) pairs."""
    frame: FrameType | None = sys._getframe(depth + 1)
    frames = []
    while frame is not None:
        frames.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return tuple(frames)


def _line(code: CodeType, instruction: int) -> int:
    for start, end, line in code.co_lines():
        if start <= instruction < end and line is not None:
            return line
    return code.co_firstlineno


def locations(frames: Frames) -> list[Location]:
    """The stack as locations, outermost first, the order in which tracebacks are printed."""
    return [Location(c.co_filename, _line(c, i), c.co_name) for c, i in reversed(_shown(frames))]


def described(frames: Frames) -> tuple[tuple[str, int, str, str | None, int], ...]:
    """(filename, line number, function, text of the line, function's first line), outermost first."""
    rows = []
    for code, instruction in reversed(_shown(frames)):
        line = _line(code, instruction)
        linecache.checkcache(code.co_filename)
        text = linecache.getline(code.co_filename, line).strip() or None
        rows.append((code.co_filename, line, code.co_name, text, code.co_firstlineno))
    return tuple(rows)


def user_location(frames: Frames) -> Location | None:
    """The innermost line that is not tfmini's own."""
    for code, instruction in frames:
        if not code.co_filename.startswith(_PACKAGE):
            return Location(code.co_filename, _line(code, instruction), code.co_name)
    return None
