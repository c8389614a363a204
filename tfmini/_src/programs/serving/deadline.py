"""A deadline that moves with each request of a connection at the price of an assignment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Deadline:
    """Calls a function at a point in time, unless it is moved or cleared before.

    A timer on the event loop that would go off too early stays, and is set anew once it does.

    Args:
      loop: the event loop.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop):
        self._loop = loop
        self._due: tuple[float, Callable[[], object]] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def set(self, seconds: float, function: Callable[[], object]) -> None:
        """Calls this function after so many seconds, in place of what was to be called."""
        due = self._loop.time() + seconds
        self._due = due, function
        if self._timer is None or self._timer.when() > due:
            self._arm(due)

    def clear(self) -> None:
        """Calls nothing."""
        self._due = None

    def end(self) -> None:
        """Calls nothing, and leaves no timer."""
        self._due = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self, due: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(due, self._look, due)

    def _look(self, when: float) -> None:
        self._timer = None
        if self._due is None:
            return
        due, function = self._due
        if due > when:
            self._arm(due)
            return
        self._due = None
        function()
