"""Steps that may wait: what each waits for, so that all of it can be cancelled at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

from tfmini.locks import make_lock
from tfmini.ops.attempts import Attempt

# By thread: the step that it runs.
_RUNNING: dict[int, Step] = {}


class Step:
    """One run of a plan that may wait.

    ended: the numbers of the waits that have ended, each as soon as it has.
    """

    def __init__(self) -> None:
        self._lock = make_lock()
        self._waiting: set[Attempt] = set()
        self._is_cancelled = False
        self.ended: SimpleQueue[Any] = SimpleQueue()

    def watch(self, attempt: Attempt, then: Callable[[], None]) -> None:
        """Calls `then()` once the attempt has ended; withdraws it where the step is cancelled."""
        with self._lock:
            is_late = self._is_cancelled
            self._waiting.add(attempt)

        def ended() -> None:
            with self._lock:
                self._waiting.discard(attempt)
            then()

        attempt.then(ended)
        if is_late:
            attempt.withdraw()

    def cancel(self) -> None:
        """Ends all that the step waits for, and will wait for, with CancelledErrors."""
        with self._lock:
            self._is_cancelled = True
            waiting = list(self._waiting)
        for attempt in waiting:
            attempt.withdraw()


@contextmanager
def running(step: Step, resources: Any) -> Iterator[None]:
    """Within this context the thread runs the step, which ends when the session of `resources` is closed."""
    thread = threading.get_ident()
    before = _RUNNING.get(thread)
    _RUNNING[thread] = step
    is_new = step not in resources.steps  # else another thread of the step
    resources.steps.add(step)
    if resources.closed:
        step.cancel()
    try:
        yield
    finally:
        if is_new:
            resources.steps.discard(step)
        if before is None:
            del _RUNNING[thread]
        else:
            _RUNNING[thread] = before


def cancel(thread: int | None) -> None:
    """Cancels what a thread's step waits for."""
    step = None if thread is None else _RUNNING.get(thread)
    if step is not None:
        step.cancel()


def wait(given: Any) -> Any:
    """What a kernel has given, or what its attempt ends with, for which this thread waits."""
    if given.__class__ is not Attempt:
        return given
    ended: SimpleQueue[None] = SimpleQueue()
    step = _RUNNING.get(threading.get_ident())

    def then() -> None:
        ended.put(None)

    if step is None:
        given.then(then)
    else:
        step.watch(given, then)
    try:
        ended.get()
    except BaseException:  # Ctrl-C
        given.withdraw()
        raise
    return given.outcome()
