"""Cancellation of blocking steps, tracked per thread."""

from __future__ import annotations

import threading

from tfmini._src.compiler.interrupts import CALLER_THREADS
from tfmini._src.executor.state.resources import Resources
from tfmini._src.ops.pending_ops import STEP_BY_THREAD, Step

# Threads whose callers gave up at a deadline: steps started in them dequeue nothing.
ABANDONED_THREADS: set[int | None] = set()


class running:
    """Context manager that binds a step to the thread; closing the session of `resources` cancels the step."""

    __slots__ = ("_step", "_resources", "_before", "_is_new")

    def __init__(self, step: Step, resources: Resources):
        self._step = step
        self._resources = resources

    def __enter__(self) -> None:
        thread = threading.get_ident()
        self._before = STEP_BY_THREAD.get(thread)
        STEP_BY_THREAD[thread] = self._step
        self._is_new = begin(self._step, self._resources)  # False if another thread has started it
        if thread in ABANDONED_THREADS and self._before is None:
            self._step.cancel()

    def __exit__(self, *unused: object) -> None:
        if self._is_new:
            end(self._step, self._resources)
        thread = threading.get_ident()
        if self._before is None:
            del STEP_BY_THREAD[thread]
        else:
            STEP_BY_THREAD[thread] = self._before


def begin(step: Step, resources: Resources) -> bool:
    """Registers a step, cancelling it if the session is closed; returns False if it was already registered."""
    is_new = step.outermost not in resources.steps
    resources.steps.add(step.outermost)
    if resources.closed:
        step.cancel()
    return is_new


def end(step: Step, resources: Resources) -> None:
    """Unregisters and finishes a step registered by `begin`."""
    resources.steps.discard(step.outermost)
    step.finish()


def cancel(thread: int | None) -> None:
    """Cancels the pending waits of a thread's steps."""
    for step in _thread_steps(thread):
        step.cancel()


def stop_dequeuing(thread: int | None) -> None:
    """Cancels a thread's pending waits that cannot pass on dequeued elements."""
    for step in _thread_steps(thread):
        step.stop_dequeuing()


def _thread_steps(thread: int | None) -> list[Step]:
    parts = [part for part, owner in list(CALLER_THREADS.items()) if owner == thread]
    steps = [None if part is None else STEP_BY_THREAD.get(part) for part in (thread, *parts)]
    return [step for step in steps if step is not None]
