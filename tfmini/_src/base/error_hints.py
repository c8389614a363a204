"""Hints: a line `Hint: ...` below an error, with the usual cure. `TFMINI_HINTS=0` turns them off.

The text of the error stays TensorFlow's: a hint is a note of the exception, which tracebacks show.
"""

from __future__ import annotations

import os
from typing import TypeVar

_Error = TypeVar("_Error", bound=BaseException)

_IS_ON = os.environ.get("TFMINI_HINTS") != "0"


def with_hint(error: _Error, text: str) -> _Error:
    """The error, with a hint unless it has one."""
    if _IS_ON and not getattr(error, "__notes__", None):
        error.add_note(f"Hint: {text}")
    return error


def with_hint_of(error: _Error, cause: BaseException) -> _Error:
    """The error, with the hint of the one that it replaces."""
    for note in getattr(cause, "__notes__", ()):
        with_hint(error, note.removeprefix("Hint: "))
    return error
