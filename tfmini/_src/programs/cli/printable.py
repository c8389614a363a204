"""Messages of commands: text from files and names, made safe to print on a terminal."""

from __future__ import annotations

import os
import sys


def printable(text: str) -> str:
    """Returns the text on one line, with control characters escaped."""
    return text if text.isprintable() else ascii(text)[1:-1]


def program_name() -> str:
    """Returns the command name as typed by the user."""
    name = os.path.basename(sys.argv[0])
    return "tfmini" if name in ("tfmini", "tfmini.exe") else "python -m tfmini"


def complain(command: str, message: object) -> None:
    """Prints to stderr why a command fails."""
    lines = f"{program_name()} {command}: {message}".split("\n")
    print("\n".join(map(printable, lines)), file=sys.stderr)
