"""Warns once per replacement supplied by the runner, with the line that used it."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.user_line import users_line

_warned: set[Any] = set()


def warn_once(key: Any, text: str) -> None:
    """Logs a warning, `From FILE:LINE: text`, at the first call with this key."""
    if key not in _warned:
        _warned.add(key)
        logs.warning("From %s: %s", users_line(), text)
