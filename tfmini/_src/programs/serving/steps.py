"""Requests: how many are in progress, their time limits, and the threads that run their steps and load models."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from tfmini._src.base.errors import DeadlineExceededError, UnavailableError
from tfmini._src.programs.serving.step_threads import StepThreads
from tfmini._src.programs.serving.timers import Timers

T = TypeVar("T")

_LARGE = 1 << 16  # bytes for which the event loop does not wait


class Steps:
    """Runs functions on threads.

    Args:
      threads: how many run at a time.
      most_waiting: how many requests may be in progress.
      seconds: that a request may take.
    """

    def __init__(self, threads: int, most_waiting: int, seconds: float):
        self.threads = threads
        self._threads = StepThreads(threads, "tfmini step")
        self._most_waiting, self._seconds = most_waiting, seconds
        self._limits = Timers(seconds)
        self._loading: dict[str, StepThreads] = {}
        self._waiting = 0

    async def run(self, model: object, function: Callable[..., T], *arguments: Any) -> T:
        """Returns `function(*arguments)`, called on one of the threads; cancelling it cancels the step.

        Args:
          model: whose step it is: slow steps of one delay those of another little.
          function: is called.
          *arguments: its arguments.
        """
        return await self._threads.run(model, function, *arguments)

    async def apart(self, size: int, function: Callable[..., T], *arguments: Any) -> T:
        """A call, on a thread if it is about more bytes than the event loop can wait for."""
        if size < _LARGE:
            return function(*arguments)
        return await self.run(None, function, *arguments)

    async def load(self, model: str, function: Callable[..., T], *arguments: Any) -> T:
        """Returns `function(*arguments)`, called on the model's own thread, one after the other: a model whose files
        stall delays neither steps nor other models.
        """
        if model not in self._loading:
            self._loading[model] = StepThreads(1, f"tfmini loading {model}")
        return await self._loading[model].run(model, function, *arguments)

    async def limited(self, request: Coroutine[Any, Any, T]) -> T:
        """Awaits the answer to a request.

        Raises:
          UnavailableError: if too many wait for theirs.
          DeadlineExceededError: after so many seconds; the step is cancelled.
        """
        if self._waiting >= self._most_waiting:
            request.close()
            text = f"{self._waiting} requests are in progress, the limit of this server"
            raise UnavailableError(None, None, text)
        self._waiting += 1
        try:
            async with self._limits.limit():
                return await request
        except TimeoutError:
            text = f"The request took longer than {self._seconds:g} s"
            raise DeadlineExceededError(None, None, text) from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Ends the threads that are idle; busy ones end with their step, or with the process."""
        for threads in (self._threads, *self._loading.values()):
            threads.close()
