"""A terminal line that is rewritten in place and stays below the program's output."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable
from typing import Any

_ERASE = "\r\x1b[K"


class TerminalLine:
    """Writes a line to standard error, and rewrites it in place.

    Until `close`, writes to standard output and standard error first erase the line. The line is hidden while
    the program's last line, such as another progress bar, is unfinished.
    """

    _is_open = False  # at most one line is open at a time

    def __init__(self) -> None:
        self._is_drawn = False
        self._is_at_margin = True
        self._terminal: Any = sys.stderr
        self._draw: Callable[[str], object] = self._terminal.write
        self._watched = [stream for stream in (sys.stdout, sys.stderr) if is_terminal(stream)]
        for stream in self._watched:
            stream.write = self._erase_then_write(stream.write)  # type: ignore[method-assign]
        TerminalLine._is_open = True
        atexit.register(self.close)

    @classmethod
    def is_free(cls) -> bool:
        """Whether standard error is a terminal without another open line."""
        return not cls._is_open and is_terminal(sys.stderr) and hasattr(sys.stderr, "__dict__")

    def show(self, text: str) -> None:
        """Replaces the line, cut to the width of the terminal."""
        if not self._is_at_margin:
            return
        columns = os.get_terminal_size(self._terminal.fileno()).columns
        self._draw(_ERASE + (text[: columns - 1] if columns else text))
        self._terminal.flush()
        self._is_drawn = True

    def close(self) -> None:
        """Ends the line, which remains visible; idempotent."""
        if not self._watched:
            return
        for stream in self._watched:
            del stream.write
        self._watched = []
        if self._is_drawn:
            self._draw("\n")
            self._terminal.flush()
        TerminalLine._is_open = False
        atexit.unregister(self.close)

    def _erase_then_write(self, write: Callable[[str], int]) -> Callable[[str], int]:
        def erase_and_write(text: str) -> int:
            if text:
                if self._is_drawn:
                    self._is_drawn = False
                    self._draw(_ERASE)
                    self._terminal.flush()
                self._is_at_margin = text.endswith("\n")
            return write(text)

        return erase_and_write


def is_terminal(stream: Any) -> bool:
    """Whether a stream, possibly None or closed, writes to a terminal."""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False
