"""Attributes Python warnings to the program's line if a function of the runner replaces an operator or a call."""

from __future__ import annotations

import os
import sys
import warnings
from types import FrameType

_PACKAGE_DIRECTORY = os.path.dirname(os.path.abspath(__file__)) + os.sep


def name_program_lines() -> None:
    """Reissues warnings attributed to a line of the runner for the program's line, subject to Python's filters.

    NumPy issues warnings such as "invalid value encountered" for the innermost Python frame.
    """
    show = warnings._showwarnmsg  # type: ignore[attr-defined]
    if show.__module__ == __name__:
        return

    def show_at_program_line(message: warnings.WarningMessage) -> None:
        if not message.filename.startswith(_PACKAGE_DIRECTORY):
            show(message)
            return
        inner = sys._getframe(1)
        inner.f_globals.get("__warningregistry__", {}).clear()  # another line may repeat it
        frame = _outside(inner)
        if frame is None:
            show(message)
            return
        warnings.warn_explicit(
            message.message,
            message.category,
            frame.f_code.co_filename,
            frame.f_lineno,
            frame.f_globals.get("__name__"),
            frame.f_globals.setdefault("__warningregistry__", {}),
        )

    warnings._showwarnmsg = show_at_program_line  # type: ignore[attr-defined]


def _outside(frame: FrameType | None) -> FrameType | None:
    """Returns the innermost frame outside the runner."""
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE_DIRECTORY):
        frame = frame.f_back
    return frame
