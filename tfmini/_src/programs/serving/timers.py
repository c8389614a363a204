"""Timers of equal duration, for limits that few requests reach: each costs a dict entry."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(eq=False, slots=True)
class Timer:
    """A function and its due time."""

    due: float
    function: Callable[[], object]


class Timers:
    """Calls functions `seconds` after `set`, with one event loop timer: they are due in FIFO order."""

    def __init__(self, seconds: float):
        self._delay = seconds
        self._timers: dict[Timer, None] = {}
        self._is_armed = False

    def set(self, function: Callable[[], object]) -> Timer:
        """Schedules the function, unless cancelled before."""
        loop = asyncio.get_running_loop()
        timer = Timer(loop.time() + self._delay, function)
        self._timers[timer] = None
        if not self._is_armed:
            self._is_armed = True
            loop.call_at(timer.due, self._call_due, loop)
        return timer

    def limit(self) -> Limit:
        """Returns an async context manager that is cancelled after the fixed time, raising TimeoutError."""
        return Limit(self)

    def cancel(self, timer: Timer) -> None:
        """Cancels a function; no effect if it has been called."""
        self._timers.pop(timer, None)

    def _call_due(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        due_timers = []
        for timer in self._timers:
            if timer.due > now:
                break
            due_timers.append(timer)
        for timer in due_timers:
            del self._timers[timer]
        self._is_armed = bool(self._timers)
        if self._is_armed:
            loop.call_at(next(iter(self._timers)).due, self._call_due, loop)
        for timer in due_timers:
            timer.function()


class Limit:
    """The context manager of `Timers.limit`."""

    __slots__ = ("_timers", "_timeout", "_timer")

    def __init__(self, timers: Timers):
        self._timers = timers
        self._timeout = asyncio.timeout(None)

    async def __aenter__(self) -> None:
        await self._timeout.__aenter__()
        self._timer = self._timers.set(self._end)

    async def __aexit__(self, *raised: Any) -> None:
        self._timers.cancel(self._timer)
        await self._timeout.__aexit__(*raised)

    def _end(self) -> None:
        self._timeout.reschedule(0)
