"""Pending ops, which a kernel returns if it must be retried after another step.

A pending op occupies a slot in a queue, not a thread: freeing space, adding an element or closing the queue completes
it. A step can thus start several such ops and continue with the first one to complete; if it cannot continue, its
thread blocks (`wait`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from copy import copy
from queue import SimpleQueue
from typing import Any

from tfmini._src.base.errors import CancelledError
from tfmini._src.base.locks import make_lock
from tfmini._src.base.read_only import read_only


class DeadTensor(Exception):
    """Outcome of a receive whose sender is in a branch that was not taken; its consumers do not run."""


def _do_nothing(pending_op: PendingOp) -> None:
    """Does nothing, because the pending op has already ended."""


class PendingOp:
    """A pending op, which ends once, with results or an error.

    Args:
      withdraw: called with the pending op when its step is cancelled; ends it unless it has already ended.
      passes_on: whether it may pass on elements that the step has dequeued (a receive, a loop, a Python
        function), so that it is not cancelled when the step stops dequeuing.
    """

    __slots__ = ("_lock", "_withdraw", "_callback", "passes_on", "is_ended", "results", "error")

    def __init__(self, withdraw: Callable[[PendingOp], object], passes_on: bool = False):
        self.passes_on = passes_on
        self._lock = make_lock()
        self._withdraw = withdraw
        self._callback: Callable[[], None] | None = None
        self.is_ended = False
        self.results: Any = None
        self.error: BaseException | None = None

    def end(self, results: Any = None, error: BaseException | None = None) -> bool:
        """Ends the pending op; returns False if it has already ended.

        Callbacks run in this thread, so the caller must not hold a lock.
        """
        with self._lock:
            if self.is_ended:
                return False
            self.results, self.error = results, error
            self.is_ended = True
            callback = self._callback
            # Breaks reference cycles: the results would live until the next garbage collection.
            self._callback, self._withdraw = None, _do_nothing
        if callback is not None:
            callback()
        return True

    def add_callback(self, function: Callable[[], None]) -> None:
        """Calls `function()` when the pending op ends, or immediately if it has already ended."""
        with self._lock:
            if not self.is_ended:
                self._callback = function
                return
        function()

    def withdraw(self) -> None:
        """Ends the pending op with a CancelledError unless it has already ended."""
        self._withdraw(self)

    def outcome(self) -> Any:
        """Returns the results or raises the error."""
        if self.error is not None:
            raise self.error
        return self.results


# By thread: its current step.
STEP_BY_THREAD: dict[int, Step] = {}


class Step:
    """One run of a plan that may block.

    rendezvous: the tensors exchanged with other tasks if this is part of a cluster step.
    """

    is_cancelled: bool = read_only(
        "Whether it starts no further operations that may block.", "outermost._is_cancelled"
    )

    def __init__(self, rendezvous: Any = None) -> None:
        self.rendezvous = rendezvous
        self._outermost: Step | None = None
        self._lock = make_lock()
        self._waiting: set[PendingOp] = set()
        self._is_cancelled = False
        self._takes_no_more = False
        self._stops: dict[int, Callable[[], Any]] = {}
        self._last: list[Callable[[], None]] = []

    @property
    def outermost(self) -> Step:
        """The outermost enclosing step if this is one of its loops, else this step."""
        return self._outermost or self

    def step_in_frame(self, name: str) -> Step:
        """Returns the step within a loop frame, in which keys of tensors sent to other tasks contain the iteration."""
        inner = copy(self)
        inner._outermost = self.outermost
        inner.rendezvous = self.rendezvous and self.rendezvous.frame_rendezvous(name)
        return inner

    def next_iteration(self) -> None:
        """Begins the next iteration of the frame."""
        if self.rendezvous is not None:
            self.rendezvous.iteration += 1

    takes_no_more: bool = read_only(
        "Whether the step may only complete pending work, not start a wait that dequeues.",
        "outermost._takes_no_more",
    )

    def watch(self, pending_op: PendingOp, callback: Callable[[], None]) -> None:
        """Calls `callback()` when the pending op ends; withdraws it if the step is cancelled."""
        with self._lock:
            is_late = self.is_cancelled or (self.takes_no_more and not pending_op.passes_on)
            self._waiting.add(pending_op)

        def on_end() -> None:
            with self._lock:
                self._waiting.discard(pending_op)
            callback()

        pending_op.add_callback(on_end)
        if is_late:
            pending_op.withdraw()

    def begin_in(self, thread: int, stop: Callable[[], Any]) -> None:
        """Registers a thread that runs the step; `stop()` is called if the step is cancelled before `end_in`."""
        with self._lock:
            self._stops[thread] = stop
            if self.is_cancelled:
                stop()

    def end_in(self, thread: int) -> None:
        """Unregisters a thread registered by `begin_in`."""
        with self._lock:
            del self._stops[thread]

    def at_end(self, function: Callable[[], None]) -> None:
        """Calls `function()` when the step ends, successfully or not."""
        self._last.append(function)

    def finish(self) -> None:
        """Runs the functions registered with `at_end`."""
        for function in self._last:
            function()

    def stop_dequeuing(self) -> None:
        """Ends current and future waits that have not dequeued elements; elements already dequeued are passed on."""
        with self._lock:
            self.outermost._takes_no_more = True
            waiting = [pending_op for pending_op in self._waiting if not pending_op.passes_on]
        for pending_op in waiting:
            pending_op.withdraw()

    def cancel(self) -> None:
        """Ends all current and future waits of the step with CancelledErrors."""
        with self._lock:
            self.outermost._is_cancelled = True
            waiting = list(self._waiting)
            for stop in self._stops.values():
                stop()
        for pending_op in waiting:
            pending_op.withdraw()


def call_on_cancellation(function: Callable[[], None]) -> PendingOp:
    """Calls `function()` when this thread's step is cancelled or the returned pending op ends."""
    pending_op = PendingOp(lambda completed: completed.end(()))
    step = STEP_BY_THREAD.get(threading.get_ident())
    if step is None:
        pending_op.add_callback(function)
    else:
        step.watch(pending_op, function)
    return pending_op


def check_not_cancelled() -> None:
    """Raises CancelledError if this thread's step is cancelled or has stopped dequeuing."""
    step = STEP_BY_THREAD.get(threading.get_ident())
    if step is not None and (step.is_cancelled or step.takes_no_more):
        raise CancelledError(None, None, "[_Derived_]Operation was cancelled")


def wait(value: Any) -> Any:
    """Resolves the result of a kernel; for an PendingOp, blocks until it ends and returns its outcome."""
    if value.__class__ is not PendingOp:
        return value
    completed: SimpleQueue[None] = SimpleQueue()
    step = STEP_BY_THREAD.get(threading.get_ident())

    def callback() -> None:
        completed.put(None)

    if step is None:
        value.add_callback(callback)
    else:
        step.watch(value, callback)
    try:
        completed.get()
    except BaseException:  # Ctrl-C
        value.withdraw()
        raise
    return value.outcome()
