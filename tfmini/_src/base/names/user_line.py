"""The source line named by a warning: the user's call of tfmini, or tfmini's own call of a function."""

from __future__ import annotations

import sys
from types import FrameType

_PACKAGE = __name__.partition(".")[0]
_SKIPPED_PACKAGES = (_PACKAGE, "importlib")  # import statements query modules for names
_FORWARDING_MODULES = tuple(
    f"{_PACKAGE}._src.{package}." for package in ("base.names", "autograph", "programs")
)


def _users_frame() -> tuple[FrameType, int]:
    """Returns the innermost frame outside the package, and its distance in frames from the caller's caller."""
    frame, depth = sys._getframe(2), 0
    while (
        frame.f_back
        and (package := frame.f_globals.get("__name__", "").partition(".")[0]) in _SKIPPED_PACKAGES
    ):
        # `warnings` skips importlib's frames.
        frame, depth = (
            frame.f_back,
            depth + (package == _PACKAGE),
        )
    return frame, depth


def calling_line() -> str:
    """Returns `FILE:LINE` of the call of a wrapper's function: in the user's program, or in the package itself.

    Packages that merely forward a program's calls are skipped.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame and (name := frame.f_globals.get("__name__", "")).partition(".")[0] == _PACKAGE:
        if not name.startswith(_FORWARDING_MODULES) and frame.f_code.co_name != "__get__":
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return users_line()


def users_line() -> str:
    """Returns `FILE:LINE` of the innermost frame outside the package."""
    frame, _ = _users_frame()
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def users_level() -> int:
    """Returns the `stacklevel` that makes the caller's `warnings.warn` report the user's line."""
    return _users_frame()[1] + 1
