"""Threads that run steps. A step past its time limit is cancelled; while it goes on regardless, another thread takes
its place, so that slow steps cannot starve the requests after them.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from tfmini._src.base.errors import UnavailableError
from tfmini._src.base.locks import make_lock
from tfmini._src.compiler.interrupts import STOPPED, Stopped
from tfmini._src.executor.state.cancellation import ABANDONED, cancel

T = TypeVar("T")

_GRACE = 1.0  # seconds in which loops, queues and other cancellable steps end
_MOST_OVERDUE = 64  # steps per thread that may go on past their limits: each has a thread's memory


class _Job:
    """A call: its future, the thread that runs it, and whether another thread has taken that one's place."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]):
        self.function, self.arguments = function, arguments
        self.future: Future[Any] = Future()
        self.thread: int | None = None
        self.is_cancelled = False
        self.is_replaced = False


class StepThreads:
    """Daemon threads that run calls in order; a process may end while one of them is busy.

    Args:
      count: number of calls that run at the same time.
      name: prefix of the thread names.
    """

    def __init__(self, count: int, name: str):
        self.count, self._name = count, name
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = make_lock()
        self._started = 0
        self._overdue = 0
        for _ in range(count):
            self._start()

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Returns `function(*arguments)`, called on one of the threads. Cancelling it cancels the step.

        Raises:
          UnavailableError: if too many steps past their limits are still running.
        """
        if self._overdue >= _MOST_OVERDUE * self.count:
            text = f"{self._overdue} steps past their time limits are still running"
            raise UnavailableError(None, None, text)
        job = _Job(function, arguments)
        self._jobs.put(job)
        try:
            return await asyncio.wrap_future(job.future)
        except asyncio.CancelledError:
            if self._stop(job):
                asyncio.get_running_loop().call_later(_GRACE, self._replace, job)
            raise

    def close(self) -> None:
        """Ends the threads; busy ones end with their step."""
        for _ in range(self._started):
            self._jobs.put(None)

    def _start(self) -> None:
        self._started += 1
        name = f"{self._name}_{self._started - 1}"
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            thread = threading.get_ident()
            with self._lock:
                if job.is_cancelled or not job.future.set_running_or_notify_cancel():
                    continue
                job.thread = thread
            value, failure = None, None
            try:
                value = job.function(*job.arguments)
            except BaseException as error:  # raised again where the call is awaited
                failure = error
            with self._lock:
                job.thread = None
                STOPPED.pop(thread, None)
                ABANDONED.discard(thread)
                if job.is_replaced:
                    self._overdue -= 1
            if failure is None:
                job.future.set_result(value)
            else:
                job.future.set_exception(failure)
            if job.is_replaced:
                return
            del job, value, failure  # a thread that waits holds no model

    def _stop(self, job: _Job) -> bool:
        """Cancels a step; False if it does not run."""
        with self._lock:
            job.is_cancelled = True
            if job.thread is None:
                return False
            STOPPED[job.thread] = Stopped
            ABANDONED.add(job.thread)
            cancel(job.thread)
            return True

    def _replace(self, job: _Job) -> None:
        with self._lock:
            if job.thread is None:
                return
            job.is_replaced = True
            self._overdue += 1
        self._start()
