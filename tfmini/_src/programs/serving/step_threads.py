"""Threads that run steps.

A step past its time limit is cancelled; while it keeps running regardless, another thread replaces its thread, so that
slow steps cannot starve later requests, nor those to another model (`turns`).
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from tfmini._src.base.errors import UnavailableError
from tfmini._src.base.locks import make_lock
from tfmini._src.compiler.interrupts import LOOP_HOOKS, end_loops
from tfmini._src.executor.state.cancellation import ABANDONED_THREADS, cancel
from tfmini._src.programs.serving.pauses import Pauses
from tfmini._src.programs.serving.turns import CallKind, CallQueue

T = TypeVar("T")

_GRACE = 1.0  # seconds within which loops, queues and other cancellable steps end
_MAX_OVERDUE = 64  # overdue steps allowed per thread: each occupies a thread's memory


class _Job:
    """A call: its future, its thread, and whether another thread has replaced this thread."""

    def __init__(self, kind: CallKind, function: Callable[..., Any], arguments: tuple[Any, ...]):
        self.kind, self.function, self.arguments = kind, function, arguments
        self.future: Future[Any] = Future()
        self.thread: int | None = None
        self.is_cancelled = False
        self.is_replaced = False


class StepThreads:
    """Daemon threads that run calls in turns; the process may exit while one is busy.

    Args:
      count: number of concurrent calls; a call of a kind with none running starts regardless.
      name: prefix of the thread names.
      pauses: pauses of the calls' loops.
    """

    def __init__(self, count: int, name: str, pauses: Pauses):
        self.count, self._name, self._pauses = count, name, pauses
        self._queue: CallQueue[_Job] = CallQueue(count)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()  # queue of waiting calls
        self._lock = make_lock()
        self._started = 0
        self._thread_count = 0  # threads, excluding threads of overdue calls
        self._overdue = 0
        for _ in range(count):
            self._start()

    async def run(self, kind: CallKind, function: Callable[..., T], *arguments: Any) -> T:
        """Returns `function(*arguments)`, run on one of the threads. Cancelling it cancels the step.

        Args:
          kind: calls of one kind delay calls of another as little as possible.
          function: the function to call.
          *arguments: its arguments.

        Raises:
          UnavailableError: if too many steps past their limits are still running.
        """
        if self._overdue >= _MAX_OVERDUE * self.count:
            raise UnavailableError(
                None,
                None,
                f"{self._overdue} steps past their time limits are still running, {_MAX_OVERDUE} for each of "
                f"{self.count} threads; no other step can start until one of them ends",
            )
        job = _Job(kind, function, arguments)
        with self._lock:
            self._queue.put(kind, job)
            self._begin()
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

    def _begin(self) -> None:
        """Assigns calls to threads in their turn; the caller holds the lock."""
        while (job := self._queue.begin()) is not None:
            self._jobs.put(job)
        if self._thread_count < self._queue.running:
            with contextlib.suppress(RuntimeError):  # out of threads: the existing ones run it
                self._start()

    def _end(self, job: _Job) -> None:
        """Ends a call's turn; the caller holds the lock."""
        self._queue.end(job.kind)
        self._begin()

    def _start(self) -> None:
        name = f"{self._name}_{self._started}"
        threading.Thread(target=self._work, name=name, daemon=True).start()
        self._started += 1
        self._thread_count += 1

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            thread = threading.get_ident()
            with self._lock:
                if job.is_cancelled or not job.future.set_running_or_notify_cancel():
                    self._end(job)
                    continue
                job.thread = thread
                LOOP_HOOKS[thread] = self._pauses.hook()
            value, failure = None, None
            try:
                value = job.function(*job.arguments)
            except BaseException as error:  # re-raised where the call is awaited
                failure = error
            with self._lock:
                job.thread = None
                LOOP_HOOKS.pop(thread, None)
                ABANDONED_THREADS.discard(thread)
                if job.is_replaced:
                    self._overdue -= 1
                else:
                    self._end(job)
            if failure is None:
                job.future.set_result(value)
            else:
                job.future.set_exception(failure)
            if job.is_replaced:
                return
            del job, value, failure  # an idle thread references no model

    def _stop(self, job: _Job) -> bool:
        """Cancels a step; returns False if it is not running."""
        with self._lock:
            job.is_cancelled = True
            if job.thread is None:
                return False
            end_loops(job.thread)
            ABANDONED_THREADS.add(job.thread)
            cancel(job.thread)
            return True

    def _replace(self, job: _Job) -> None:
        with self._lock:
            if job.thread is None:
                return
            job.is_replaced = True
            self._overdue += 1
            self._thread_count -= 1
            self._end(job)
            if self._thread_count < self.count:
                self._start()
