"""Verbosity of AutoGraph's logs: 0 nothing, 1 which functions are called, 2 how they are converted."""

from __future__ import annotations

import os
import sys
from typing import Any

from tfmini._src.base import logs


class _Verbosity:
    level: int | None = None  # None: as the environment says
    prints = hasattr(sys, "ps1")  # on standard output too


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Sets how much AutoGraph logs, at level INFO; the environment's `AUTOGRAPH_VERBOSITY` says it otherwise.

    Args:
      level: 0: nothing; 1: each call that is looked at; 2: why functions stay as they are, and converted code.
      alsologtostdout: whether it is printed too.

    Example: `tf.autograph.set_verbosity(2, alsologtostdout=True)`.
    """
    _Verbosity.level, _Verbosity.prints = level, alsologtostdout


def says(level: int) -> bool:
    """Whether messages of a level are logged."""
    known = _Verbosity.level
    return (int(os.environ.get("AUTOGRAPH_VERBOSITY", "0")) if known is None else known) >= level


def say(level: int, message: str, *args: Any) -> None:
    """Logs a message of a level."""
    if says(level):
        logs.info(message, *args)
        if _Verbosity.prints:
            print(message % args)
