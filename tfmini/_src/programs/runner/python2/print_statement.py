"""The `print` statement: a trailing comma delays the space until the next print."""

from __future__ import annotations

import atexit
import sys
import weakref
from typing import Any

from tfmini._src.programs.runner.python2.text import text

_wait_for_space: weakref.WeakSet[Any] = weakref.WeakSet()


class Printing:
    """A `print` statement: shows each value before the next one is evaluated.

    `print >>file, a, b` is `Printing(file)(a)(b).end()`; with a trailing comma, `end` is omitted.
    """

    def __init__(self, file: Any = None) -> None:
        self._file = file

    def __call__(self, value: Any) -> Printing:
        file, rendered = self._target(), text(value)
        _write_text(file, f" {rendered}" if file in _wait_for_space else rendered)
        is_blank = (
            isinstance(value, (str, bytes)) and rendered[-1:].isspace() and rendered[-1] != " "
        )
        (_wait_for_space.discard if is_blank else _wait_for_space.add)(file)
        return self

    def end(self) -> None:
        """Ends the line."""
        _write_text(self._target(), "\n")
        _wait_for_space.discard(self._target())

    def _target(self) -> Any:
        return sys.stdout if self._file is None else self._file


def _write_text(file: Any, rendered: str) -> None:
    try:
        file.write(rendered)
    except UnicodeEncodeError:
        file.buffer.write(rendered.encode("utf-8", "surrogateescape"))


def print_function(*values: Any, **options: Any) -> None:
    """Implements `print(*values, **options)`, formatting values like `print_statement`."""
    print(*map(text, values), **options)


@atexit.register
def _end_line() -> None:
    if sys.stdout in _wait_for_space:
        sys.stdout.write("\n")
