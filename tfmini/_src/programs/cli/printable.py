"""Text of files, names and messages as a terminal may show it."""

from __future__ import annotations

import sys


def printable(text: str) -> str:
    """The text on one line, without what a terminal would obey: such characters are escaped."""
    return text if text.isprintable() else ascii(text)[1:-1]


def complain(command: str, message: object) -> None:
    """Prints to the standard error why a command ends."""
    lines = f"python -m tfmini {command}: {message}".split("\n")
    print("\n".join(map(printable, lines)), file=sys.stderr)
