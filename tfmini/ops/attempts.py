"""Attempts: what a kernel gives in place of its results where another step has to come first.

The op of an attempt waits in a queue, not in a thread: whoever makes room, brings an element or closes the queue ends
it. So a step can begin several such ops and go on with whichever ends first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini.locks import make_lock


class Attempt:
    """An op that has begun: it ends once, with results or an error.

    Args:
      withdraw: called with the attempt where its step is cancelled; it ends the attempt, unless that has ended.
    """

    __slots__ = ("_lock", "_withdraw", "_then", "is_ended", "results", "error")

    def __init__(self, withdraw: Callable[[Attempt], None]):
        self._lock = make_lock()
        self._withdraw = withdraw
        self._then: Callable[[], None] | None = None
        self.is_ended = False
        self.results: Any = None
        self.error: BaseException | None = None

    def end(self, results: Any = None, error: BaseException | None = None) -> bool:
        """Ends it; False if it has ended before. What waits for it is called in this thread, so no lock may be held."""
        with self._lock:
            if self.is_ended:
                return False
            self.results, self.error = results, error
            self.is_ended = True
            then = self._then
        if then is not None:
            then()
        return True

    def then(self, function: Callable[[], None]) -> None:
        """Calls `function()` once it has ended, at once if it has."""
        with self._lock:
            if not self.is_ended:
                self._then = function
                return
        function()

    def withdraw(self) -> None:
        """Ends it with a CancelledError, unless it has ended."""
        self._withdraw(self)

    def outcome(self) -> Any:
        """Its results; raises its error."""
        if self.error is not None:
            raise self.error
        return self.results
