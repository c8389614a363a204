"""Steps with a time limit: the caller stops waiting at the deadline, the step itself runs to its end, or to that of
an iteration of a loop.

That is what TensorFlow does with ops that do not block: what has begun is finished, so no update stops half-way. What a
step has taken out of a queue or an iterator would be lost: it has a moment more, in which it takes nothing else.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

from tfmini._src.base.errors import CancelledError, DeadlineExceededError
from tfmini._src.base.locks import after_fork, make_lock
from tfmini._src.compiler.interrupts import STOPPED, Stopped
from tfmini._src.executor.state.cancellation import ABANDONED, cancel, take_no_more

_CANCELLED = (CancelledError, Stopped)


def within(
    milliseconds: int,
    grace: float,
    ends_soon: bool,
    step: Callable[..., Any],
    *arguments: object,
) -> Any:
    """Returns `step(*arguments)`, which runs in a thread of its own and is cancelled at the deadline.

    grace: seconds after the deadline in which it takes no more, before it is cancelled.
    ends_soon: whether a cancelled step ends soon: the caller of one that had a grace waits for that.

    Raises:
      DeadlineExceededError: if it has not ended in time.
      Exception: what `step` raises.
    """
    outcome: list[Any] = []
    failures: list[BaseException] = []
    ended: list[bool] = []
    lock = make_lock()

    def run() -> None:
        try:
            outcome.append(step(*arguments))
        except BaseException as error:  # raised again by the thread that waits
            failures.append(error)
        finally:
            with lock:
                ended.append(True)
                STOPPED.pop(threading.get_ident(), None)
                ABANDONED.discard(threading.get_ident())

    thread = threading.Thread(target=run, name="tfmini step", daemon=True)
    thread.start()
    thread.join(milliseconds / 1000)
    with lock:
        is_late = not ended
        if is_late:  # its number may be another thread's soon
            ABANDONED.add(thread.ident)  # before `take_no_more` looks: it may not have begun
            take_no_more(thread.ident)
    if is_late and grace:
        thread.join(grace)
    with lock:
        if not ended:
            STOPPED[thread.ident] = Stopped
            cancel(thread.ident)
    if is_late and ends_soon:
        thread.join()
    if outcome:
        return outcome[0]
    if failures and not (is_late and isinstance(failures[0], _CANCELLED)):
        raise failures[0]
    raise DeadlineExceededError(None, None, "Timed out waiting for notification")


class Deadlines:
    """Deadlines of what no thread waits for: one thread looks after all of them."""

    def __init__(self) -> None:
        self._lock = make_lock()
        self._earlier = threading.Event()
        self._late: dict[object, tuple[float, Callable[[], object]]] = {}
        self._looks_at: float | None = None  # None where there is no thread

    def add(self, seconds: float, late: Callable[[], object]) -> Callable[[], None]:
        """Has `late()` called in so many seconds; returns a canceller."""
        key, moment = object(), monotonic() + seconds

        def cancel() -> None:
            with self._lock:
                self._late.pop(key, None)

        with self._lock:
            self._late[key] = moment, late
            if self._looks_at is None:
                threading.Thread(target=self._look, name="tfmini deadlines", daemon=True).start()
                self._looks_at = moment
            elif moment < self._looks_at:
                self._looks_at = moment
                self._earlier.set()
        return cancel

    def _look(self) -> None:
        while True:
            if self._looks_at is not None and (left := self._looks_at - monotonic()) > 0:
                self._earlier.wait(left)
                self._earlier.clear()
            with self._lock:
                now = monotonic()
                passed = [key for key, (moment, _) in self._late.items() if moment <= now]
                passed.sort(key=lambda key: self._late[key][0])
                late = [self._late.pop(key)[1] for key in passed]
                self._looks_at = min((moment for moment, _ in self._late.values()), default=None)
                is_over = self._looks_at is None
            for function in late:
                try:
                    function()
                except Exception:  # the others have their deadlines nevertheless
                    thread = threading.current_thread()
                    threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), thread)))
            if is_over:
                return


DEADLINES = Deadlines()
after_fork(DEADLINES.__init__)  # type: ignore[misc]  # a child has none of the threads
