"""The `print` statement: a trailing comma delays the space until the next print."""

from __future__ import annotations

import atexit
import sys
import weakref
from typing import Any

from tfmini._src.programs.runner.python2.text import text

_wait_for_space: weakref.WeakSet[Any] = weakref.WeakSet()


def print_statement(file: Any, values: tuple, ends_line: bool) -> None:
    """`print >>file, *values`, with the line end unless a comma is last."""
    file = sys.stdout if file is None else file
    parts: list[str] = []
    has_space = file in _wait_for_space
    for value in values:
        shown = text(value)
        parts += (" ", shown) if has_space else (shown,)
        is_blank = isinstance(value, (str, bytes)) and shown[-1:].isspace() and shown[-1] != " "
        has_space = not is_blank
    if ends_line:
        parts.append("\n")
        has_space = False
    try:
        file.write("".join(parts))
    except UnicodeEncodeError:
        file.buffer.write("".join(parts).encode("utf-8", "surrogateescape"))
    if has_space:
        _wait_for_space.add(file)
    else:
        _wait_for_space.discard(file)


def print_function(*values: Any, **options: Any) -> None:
    """`print(*values, **options)`, which shows values as `print_statement` does."""
    print(*map(text, values), **options)


@atexit.register
def _end_line() -> None:
    if sys.stdout in _wait_for_space:
        sys.stdout.write("\n")
