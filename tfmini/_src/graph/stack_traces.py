"""Creation stacks of nodes, to find the user's line.

Capturing each frame's code and instruction offset costs about a microsecond; text is only produced when an error is
shown. Nodes created on the same lines in a loop share one stack.
"""

from __future__ import annotations

import itertools
import linecache
import os
import sys
from collections.abc import Collection
from types import CodeType, FrameType
from typing import Any, NamedTuple

from tfmini._src.base.package import PACKAGE_DIRECTORY

_PACKAGE = PACKAGE_DIRECTORY + os.sep


class Location(NamedTuple):
    """A stack frame as in `traceback.FrameSummary`, without its source text."""

    filename: str
    lineno: int
    name: str


# A stack, innermost first: the code of each frame, followed by the offset of its instruction.
Frames = tuple[Any, ...]


# Codes at which stacks end, by address: hashing a code object hashes all its instructions.
_hidden_codes: dict[int, CodeType] = {}


def hide_launcher_frames(code: CodeType) -> None:
    """Truncates captured stacks at frames of this code, which, like their callers, only launch the program."""
    _hidden_codes[id(code)] = code


def code_offsets(frames: Frames) -> list[tuple[CodeType, int]]:
    """Converts a stack to (code, instruction offset) pairs, innermost first."""
    return list(zip(frames[::2], frames[1::2]))


def capture(depth: int = 1) -> Frames:
    """Captures the caller's stack."""
    frame: FrameType | None = sys._getframe(depth + 1)
    frames: list[Any] = []
    while frame is not None and id(frame.f_code) not in _hidden_codes:
        frames += frame.f_code, frame.f_lasti
        frame = frame.f_back
    return tuple(frames)


class Stacks:
    """A graph's creation stacks, deduplicated."""

    def __init__(self) -> None:
        self._shared: dict[tuple[int, ...], Frames] = {}

    def capture(self, depth: int = 1) -> Frames:
        """Captures the caller's stack, reusing an equal one."""
        frame: FrameType | None
        frame = innermost = sys._getframe(depth + 1)
        # Keys use addresses of code objects, which the stored stack keeps alive.
        key: list[int] = []
        while frame is not None and (address := id(frame.f_code)) not in _hidden_codes:
            key += address, frame.f_lasti
            frame = frame.f_back
        exact_key = tuple(key)
        shared = self._shared.get(exact_key)
        if shared is None:
            frames: list[Any] = []
            frame = innermost
            while frame is not None and len(frames) < len(key):
                frames += frame.f_code, frame.f_lasti
                frame = frame.f_back
            shared = self._shared[exact_key] = tuple(frames)
        return shared


def _line_number(code: CodeType, instruction: int) -> int:
    for start, end, line in code.co_lines():
        if start <= instruction < end and line is not None:
            return line
    return code.co_firstlineno


def locations(frames: Frames) -> list[Location]:
    """Converts a stack to locations, outermost first, as printed in tracebacks."""
    return [
        Location(c.co_filename, _line_number(c, i), c.co_name)
        for c, i in reversed(code_offsets(frames))
    ]


def describe_frames(frames: Frames) -> tuple[tuple[str, int, str, str | None, int], ...]:
    """Returns (filename, line number, function, source line, function's first line) rows, outermost first."""
    rows = []
    for code, instruction in reversed(code_offsets(frames)):
        line = _line_number(code, instruction)
        linecache.checkcache(code.co_filename)
        text = linecache.getline(code.co_filename, line).strip() or None
        rows.append((code.co_filename, line, code.co_name, text, code.co_firstlineno))
    return tuple(rows)


def user_location(frames: Frames, excluded_file: str = "") -> Location | None:
    """Returns the innermost line that is neither in tfmini nor in the file `excluded_file`."""
    for code, instruction in code_offsets(frames):
        if not code.co_filename.startswith(_PACKAGE) and code.co_filename != excluded_file:
            return Location(code.co_filename, _line_number(code, instruction), code.co_name)
    return None


def common_directory(files: Collection[str]) -> str:
    """Returns the directory of the longest common prefix of paths, or an empty string."""
    first, last = min(files, default=""), max(files, default="")
    equal = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, last))
    return os.path.dirname(first[: sum(1 for _ in equal)])
