"""Warns once per replacement supplied by the runner, with the line that used it."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.user_line import users_line

_said: set[Any] = set()


def say_once(key: Any, text: str) -> None:
    """Logs a warning, `From FILE:LINE: text`, at the first call with this key."""
    if key not in _said:
        _said.add(key)
        logs.warning("From %s: %s", users_line(), text)
