"""Steps with a time limit: the caller stops waiting at the deadline, the step itself runs to its end.

That is what TensorFlow does with ops that do not block: what has begun is finished, so no update stops half-way.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from tfmini.errors import DeadlineExceededError


def within(milliseconds: int, step: Callable[..., Any], *arguments: Any) -> Any:
    """Returns `step(*arguments)`, which runs in a thread of its own.

    Raises:
      DeadlineExceededError: if it has not ended in time.
      Exception: what `step` raises.
    """
    outcome: list[Any] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(step(*arguments))
        except BaseException as error:  # raised again by the thread that waits
            failures.append(error)

    thread = threading.Thread(target=run, name="tfmini step", daemon=True)
    thread.start()
    thread.join(milliseconds / 1000)
    if failures:
        raise failures[0]
    if not outcome:
        raise DeadlineExceededError(None, None, "Timed out waiting for notification")
    return outcome[0]
