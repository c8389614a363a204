"""Request execution: the number in progress, time limits, and the threads that run steps and load models."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from tfmini._src.base.errors import DeadlineExceededError, UnavailableError
from tfmini._src.programs.serving.pauses import Pauses
from tfmini._src.programs.serving.step_threads import StepThreads
from tfmini._src.programs.serving.timers import Timers
from tfmini._src.programs.serving.turns import CallKind

T = TypeVar("T")

_MAX_INLINE_BYTES = 1 << 16


class Steps:
    """Runs functions on threads, with up to `max_waiting` requests in progress, each for up to `seconds`."""

    def __init__(self, threads: int, max_waiting: int, seconds: float):
        self.threads = threads
        self._pauses = Pauses()
        self._threads = StepThreads(threads, "tfmini step", self._pauses)
        self._max_waiting, self._timeout = max_waiting, seconds
        self._limits = Timers(seconds)
        self._loading: dict[str, StepThreads] = {}
        self._waiting = 0

    async def run(self, kind: CallKind, function: Callable[..., T], *arguments: Any) -> T:
        """Returns `function(*arguments)`, run on one of the threads; cancelling it cancels the step.

        Args:
          kind: the step's kind; slow steps of one model barely delay other models'.
          function: the function to call.
          *arguments: its arguments.
        """
        return await self._threads.run(kind, function, *arguments)

    def note_step(self) -> None:
        """Records that a step has started; long-running loops pause while steps run."""
        self._pauses.note_step()

    async def run_offloaded(self, size: int, function: Callable[..., T], *arguments: Any) -> T:
        """Runs a call, on a thread if its size would block the event loop."""
        if size < _MAX_INLINE_BYTES:
            return function(*arguments)
        return await self.run(CallKind(None), function, *arguments)

    async def load(self, model: str, function: Callable[..., T], *arguments: Any) -> T:
        """Returns `function(*arguments)`, run on the model's own thread, one at a time.

        A model whose files stall delays neither steps nor other models.
        """
        if model not in self._loading:
            self._loading[model] = StepThreads(1, f"tfmini loading {model}", self._pauses)
        return await self._loading[model].run(CallKind(model), function, *arguments)

    async def run_limited(self, request: Coroutine[Any, Any, T]) -> T:
        """Awaits the response to a request.

        Raises:
          UnavailableError: if too many requests are in progress.
          DeadlineExceededError: after the timeout; the step is cancelled.
        """
        if self._waiting >= self._max_waiting:
            request.close()
            text = f"{self._waiting} requests are in progress, the limit of this server"
            raise UnavailableError(None, None, text)
        self._waiting += 1
        try:
            async with self._limits.limit():
                return await request
        except TimeoutError:
            text = f"The request took longer than {self._timeout:g} s"
            raise DeadlineExceededError(None, None, text) from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Ends the idle threads; busy ones end with their step, or with the process."""
        for threads in (self._threads, *self._loading.values()):
            threads.close()
