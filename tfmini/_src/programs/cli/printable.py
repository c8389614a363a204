"""Makes text from files, names and messages safe to print on a terminal."""

from __future__ import annotations

import sys


def printable(text: str) -> str:
    """The text on one line, with control characters escaped."""
    return text if text.isprintable() else ascii(text)[1:-1]


def complain(command: str, message: object) -> None:
    """Prints to stderr why a command fails."""
    lines = f"python -m tfmini {command}: {message}".split("\n")
    print("\n".join(map(printable, lines)), file=sys.stderr)
