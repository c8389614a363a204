"""Steps with a time limit: the caller stops waiting at the deadline, the step itself runs to its end, or to that of
an iteration of a loop.

That is what TensorFlow does with ops that do not block: what has begun is finished, so no update stops half-way.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from tfmini._src.base.errors import DeadlineExceededError
from tfmini._src.base.locks import make_lock
from tfmini._src.compiler.interrupts import STOPPED, Stopped
from tfmini._src.executor.state.cancellation import cancel


def within(milliseconds: int, step: Callable[..., Any], *arguments: object) -> Any:
    """Returns `step(*arguments)`, which runs in a thread of its own.

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

    thread = threading.Thread(target=run, name="tfmini step", daemon=True)
    thread.start()
    thread.join(milliseconds / 1000)
    if failures:
        raise failures[0]
    if not outcome:
        with lock:
            if not ended:
                STOPPED[thread.ident] = Stopped
        cancel(thread.ident)
        raise DeadlineExceededError(None, None, "Timed out waiting for notification")
    return outcome[0]
