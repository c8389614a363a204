"""Shutdown of a server: a signal makes it unready; after a drain time it rejects further requests."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import signal
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from tfmini._src.programs.serving.service import Service

Handler = Callable[[int, Any], Any]

RETIRE = signal.SIGUSR1  # ends a worker that has a successor: there is nothing to drain


class Shutdown:
    """Shutdown that precedes the handlers of SIGTERM and SIGINT; created on the event loop that serves.

    Args:
      service: becomes unready at the first signal.
      drain: seconds from the first signal until the handler is called, for load balancers to notice; a second signal
        calls it at once.
    """

    def __init__(self, service: Service, drain: float):
        self._service, self._drain = service, drain
        self._loop = asyncio.get_running_loop()
        self._drain_start: float | None = None
        self._startup: asyncio.Task[Any] | None = None  # while the server starts
        self._action_task: asyncio.Task[Any] | None = None
        self.action: Callable[[], Coroutine[Any, Any, Any]] | None = (
            None  # called in addition to the handler
        )
        if threading.current_thread() is not threading.main_thread():
            return
        for signum in (signal.SIGTERM, signal.SIGINT):
            handler = signal.getsignal(signum)
            if callable(handler):
                signal.signal(signum, functools.partial(self._on_signal, handler))
                signal.signal(RETIRE, functools.partial(self._retire, handler))

    @contextlib.contextmanager
    def cancellable_startup(self) -> Iterator[None]:
        """Context manager that cancels the current task on a signal, instead of draining."""
        self._startup = asyncio.current_task()
        try:
            yield
        finally:
            self._startup = None

    def remaining(self, seconds: float) -> float:
        """Returns the remaining part of `seconds`, counted from the end of the drain."""
        now = time.monotonic()
        return max(0.0, seconds - (now - (now if self._drain_start is None else self._drain_start)))

    def _on_signal(self, handler: Handler, signum: int, frame: Any) -> None:
        is_first = not self._service.is_ending and self._drain_start is None
        waits = self._drain > 0 and is_first and self._startup is None
        self._service.is_ending = True
        if not waits:
            self._end(handler, signum)
            return

        def end_drain() -> None:
            if self._drain_start is None:
                self._end(handler, signum)

        self._loop.call_soon_threadsafe(lambda: self._loop.call_later(self._drain, end_drain))

    def _retire(self, handler: Handler, signum: int, frame: Any) -> None:
        self._end(handler, signal.SIGTERM)

    def _end(self, handler: Handler, signum: int) -> None:
        if self._drain_start is None:
            self._drain_start = time.monotonic()
            self._loop.call_soon_threadsafe(
                self._act if self._startup is None else self._startup.cancel
            )
        handler(signum, None)

    def _act(self) -> None:
        if self.action is not None:
            self._action_task = self._loop.create_task(self.action())
