"""Fair scheduling of calls waiting for a thread: a model's slow steps do not starve other models."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class CallKind(NamedTuple):
    """A kind of calls.

    model: the model they belong to.
    is_gil_bound: whether they run one at a time, regardless of their model.
    """

    model: Hashable
    is_gil_bound: bool = False


class CallQueue(Generic[T]):
    """Calls in execution order.

    Up to `count` calls run concurrently. The kind with the fewest running calls is next; ties are served round-robin,
    calls of one kind in FIFO order. A kind without running calls need not wait for others to end.
    """

    def __init__(self, count: int):
        self._count = count
        self._waiting: dict[CallKind, deque[T]] = {}
        self._running: Counter[CallKind] = Counter()

    @property
    def running(self) -> int:
        """Number of running calls."""
        return self._running.total()

    def put(self, kind: CallKind, call: T) -> None:
        """Adds a waiting call."""
        self._waiting.setdefault(kind, deque()).append(call)

    def begin(self) -> T | None:
        """Returns the next call and marks it as running; None if no call may run."""
        is_full = self.running >= self._count
        runs_short = any(kind.is_gil_bound for kind in self._running)
        kinds = [
            kind
            for kind in self._waiting
            if not (is_full and kind in self._running or runs_short and kind.is_gil_bound)
        ]
        if not kinds:
            return None
        turn = min(kinds, key=lambda kind: self._running.get(kind, 0))
        calls = self._waiting.pop(turn)
        call = calls.popleft()
        if calls:
            self._waiting[turn] = calls  # moved to the end of the queue
        self._running[turn] += 1
        return call

    def end(self, kind: CallKind) -> None:
        """Records that a call has ended, or no longer counts."""
        self._running[kind] -= 1
        if not self._running[kind]:
            del self._running[kind]
