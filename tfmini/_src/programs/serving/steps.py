"""Steps of models on threads, so many at a time, and their deadlines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from tfmini._src.base.errors import DeadlineExceededError, UnavailableError

T = TypeVar("T")


class Steps:
    """Runs functions on threads.

    Args:
      threads: how many run at a time.
      most_waiting: how many requests may be in progress.
      seconds: that a request may take.
    """

    def __init__(self, threads: int, most_waiting: int, seconds: float):
        self.threads = threads
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="tfmini step")
        self._most_waiting, self._seconds = most_waiting, seconds
        self._loading = ThreadPoolExecutor(1, thread_name_prefix="tfmini loading")
        self._waiting = 0

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """A call on one of the threads."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, function, *arguments)

    async def load(self, function: Callable[..., T], *arguments: Any) -> T:
        """A call on a thread of its own, one after the other: loading models takes no step's place."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._loading, function, *arguments)

    async def limited(self, request: Coroutine[Any, Any, T]) -> T:
        """Awaits the answer to a request.

        Raises:
          UnavailableError: if too many wait for theirs.
          DeadlineExceededError: after so many seconds; a step that is running ends by itself.
        """
        if self._waiting >= self._most_waiting:
            request.close()
            text = (
                f"{self._waiting} requests are in progress, and this server takes no more at a time"
            )
            raise UnavailableError(None, None, text)
        self._waiting += 1
        try:
            return await asyncio.wait_for(request, self._seconds)
        except asyncio.TimeoutError:
            text = f"The request took longer than {self._seconds:g} s"
            raise DeadlineExceededError(None, None, text) from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Ends the threads, after what they run."""
        self._threads.shutdown()
        self._loading.shutdown()
