"""Verbosity of AutoGraph's log: 0 nothing, 1 called functions, 2 their conversion."""

from __future__ import annotations

import os
import sys
from typing import Any

from tfmini._src.base import logs


class _Verbosity:
    level: int | None = None  # None: from the environment
    prints = hasattr(sys, "ps1")  # also on standard output


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Sets AutoGraph's verbosity; messages have level INFO. The default is the environment variable
    `AUTOGRAPH_VERBOSITY`.

    Args:
      level: 0: nothing; 1: each considered call; 2: also converted code, and why functions are not converted.
      alsologtostdout: whether messages are also printed.

    Example: `tf.autograph.set_verbosity(2, alsologtostdout=True)`.
    """
    _Verbosity.level, _Verbosity.prints = level, alsologtostdout


def is_logged(level: int) -> bool:
    """Whether messages of a level are logged."""
    limit = _Verbosity.level
    return (int(os.environ.get("AUTOGRAPH_VERBOSITY", "0")) if limit is None else limit) >= level


def log(level: int, message: str, *args: Any) -> None:
    """Logs a message of a level."""
    if is_logged(level):
        logs.info(message, *args)
        if _Verbosity.prints:
            print(message % args)
