"""Hints: a line `Hint: ...` below an error, with the usual fix. `TFMINI_HINTS=0` disables them.

The error text itself remains TensorFlow's: a hint is an exception note, which tracebacks display.
"""

from __future__ import annotations

import os
from typing import TypeVar

_Error = TypeVar("_Error", bound=BaseException)

_HINTS_ENABLED = os.environ.get("TFMINI_HINTS") != "0"


def add_hint(error: _Error, text: str) -> _Error:
    """Adds a hint to the error, unless it already has one; returns the error."""
    if _HINTS_ENABLED and not getattr(error, "__notes__", None):
        error.add_note(f"Hint: {text}")
    return error


def copy_hint(error: _Error, cause: BaseException) -> _Error:
    """Copies the hint of the error that `error` replaces; returns `error`."""
    for note in getattr(cause, "__notes__", ()):
        add_hint(error, note.removeprefix("Hint: "))
    return error
