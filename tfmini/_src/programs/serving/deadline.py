"""A movable deadline per connection; moving it costs an assignment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Deadline:
    """Calls a function at a given time, unless moved or cleared before.

    An event loop timer that would fire too early is kept, and re-armed when it fires.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop):
        self._loop = loop
        self._due_call: tuple[float, Callable[[], object]] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def set(self, seconds: float, function: Callable[[], object]) -> None:
        """Schedules the function in `seconds`, replacing the scheduled one."""
        due_time = self._loop.time() + seconds
        self._due_call = due_time, function
        if self._timer is None or self._timer.when() > due_time:
            self._arm(due_time)

    def clear(self) -> None:
        """Clears the deadline."""
        self._due_call = None

    def end(self) -> None:
        """Clears the deadline and cancels the timer."""
        self._due_call = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self, due_time: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(due_time, self._call_if_due, due_time)

    def _call_if_due(self, when: float) -> None:
        self._timer = None
        if self._due_call is None:
            return
        due_time, function = self._due_call
        if due_time > when:
            self._arm(due_time)
            return
        self._due_call = None
        function()
