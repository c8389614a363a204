"""Step deadlines: the caller stops waiting at the deadline; the step runs to completion, or to the end of the current
loop iteration.

TensorFlow does the same for nonblocking ops, so no update is left half-applied. Elements already taken from a queue or
an iterator would be lost, so the step gets a grace period in which it dequeues no further elements.
"""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

from tfmini._src.base.errors import CancelledError, DeadlineExceededError
from tfmini._src.base.locks import after_fork, make_lock
from tfmini._src.compiler.interrupts import LOOP_HOOKS, StepAbandoned, end_loops
from tfmini._src.executor.state.cancellation import ABANDONED_THREADS, cancel, stop_dequeuing

_CANCELLATION_ERRORS = (CancelledError, StepAbandoned)
_MAX_START_SECONDS = 10.0  # maximum seconds for a new thread to start
_TIMED_OUT = "Timed out waiting for notification"


def run_with_deadline(
    milliseconds: int,
    grace: float,
    ends_soon: bool,
    step: Callable[..., Any],
    *arguments: object,
) -> Any:
    """Runs `step(*arguments)` in a separate thread, cancels it at the deadline, and returns its result.

    grace: seconds between deadline and cancellation, during which the step dequeues no further elements.
    ends_soon: whether a cancelled step ends soon, so that the caller waits for it after a grace period.

    Raises:
      DeadlineExceededError: if the step exceeds the deadline, or its thread does not start.
      Exception: any exception of `step`.
    """
    outcome: list[Any] = []
    failures: list[BaseException] = []
    identifiers: list[int] = []
    started, has_ended = threading.Event(), threading.Event()
    lock = make_lock()
    has_given_up = False

    def run() -> None:
        with lock:
            if has_given_up:
                return
            identifiers.append(threading.get_ident())
            started.set()
        try:
            outcome.append(step(*arguments))
        except BaseException as error:  # re-raised in the waiting thread
            failures.append(error)
        finally:
            with lock:
                has_ended.set()
                LOOP_HOOKS.pop(threading.get_ident(), None)
                ABANDONED_THREADS.discard(threading.get_ident())

    # Not `threading.Thread`: its `start` blocks forever if a thread lacks the memory for its first frame.
    _thread.start_new_thread(run, ())
    started.wait(_MAX_START_SECONDS)
    with lock:
        has_given_up = not identifiers
    if has_given_up:
        raise DeadlineExceededError(None, None, _TIMED_OUT)
    (identifier,) = identifiers
    has_ended.wait(milliseconds / 1000)
    with lock:
        is_late = not has_ended.is_set()
        if is_late:  # checked under the lock: the identifier may soon be reused
            # Before `stop_dequeuing`: the step may not have begun.
            ABANDONED_THREADS.add(identifier)
            stop_dequeuing(identifier)
    if is_late and grace:
        has_ended.wait(grace)
    with lock:
        if not has_ended.is_set():
            end_loops(identifier)
            cancel(identifier)
    if is_late and ends_soon:
        has_ended.wait()
    if outcome:
        return outcome[0]
    if failures and not (is_late and isinstance(failures[0], _CANCELLATION_ERRORS)):
        raise failures[0]
    raise DeadlineExceededError(None, None, _TIMED_OUT)


class Deadlines:
    """Deadlines of asynchronous operations. A single thread serves all of them."""

    def __init__(self) -> None:
        self._lock = make_lock()
        self._earlier_deadline = threading.Event()
        self._callbacks: dict[object, tuple[float, Callable[[], object]]] = {}
        self._next_check: float | None = None  # None if no thread is running

    def add(self, seconds: float, on_late: Callable[[], object]) -> Callable[[], None]:
        """Schedules a call of `on_late()` in `seconds`; returns a function that cancels it."""
        key, moment = object(), monotonic() + seconds

        def cancel() -> None:
            with self._lock:
                self._callbacks.pop(key, None)

        with self._lock:
            self._callbacks[key] = moment, on_late
            if self._next_check is None:
                threading.Thread(
                    target=self._run_timer, name="tfmini deadlines", daemon=True
                ).start()
                self._next_check = moment
            elif moment < self._next_check:
                self._next_check = moment
                self._earlier_deadline.set()
        return cancel

    def _run_timer(self) -> None:
        while True:
            if self._next_check is not None and (remaining := self._next_check - monotonic()) > 0:
                self._earlier_deadline.wait(remaining)
                self._earlier_deadline.clear()
            with self._lock:
                now = monotonic()
                passed = [key for key, (moment, _) in self._callbacks.items() if moment <= now]
                passed.sort(key=lambda key: self._callbacks[key][0])
                late_callbacks = [self._callbacks.pop(key)[1] for key in passed]
                self._next_check = min(
                    (moment for moment, _ in self._callbacks.values()), default=None
                )
                is_over = self._next_check is None
            for function in late_callbacks:
                try:
                    function()
                except Exception:  # must not affect the other deadlines
                    thread = threading.current_thread()
                    threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), thread)))
            if is_over:
                return


DEADLINES = Deadlines()
after_fork(DEADLINES.__init__)  # type: ignore[misc]  # a forked child has none of these threads
