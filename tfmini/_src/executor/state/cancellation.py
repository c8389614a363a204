"""Steps that may wait, by the threads that run them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tfmini._src.compiler.interrupts import RUNS_FOR
from tfmini._src.ops.pending_ops import RUNNING, Step

if TYPE_CHECKING:
    from tfmini._src.executor.state.resources import Resources


@contextmanager
def running(step: Step, resources: Resources) -> Iterator[None]:
    """A block in which the thread runs the step, which ends when the session of `resources` is closed."""
    thread = threading.get_ident()
    before = RUNNING.get(thread)
    RUNNING[thread] = step
    is_new = begin(step, resources)  # else another thread has begun it
    try:
        yield
    finally:
        if is_new:
            end(step, resources)
        if before is None:
            del RUNNING[thread]
        else:
            RUNNING[thread] = before


def begin(step: Step, resources: Resources) -> bool:
    """Begins a step, which a session that is closed cancels; False if it has begun."""
    is_new = step.whole not in resources.steps
    resources.steps.add(step.whole)
    if resources.closed:
        step.cancel()
    return is_new


def end(step: Step, resources: Resources) -> None:
    """Ends a step that `begin` has begun."""
    resources.steps.discard(step.whole)
    step.finish()


def cancel(thread: int | None) -> None:
    """Cancels what a thread's step waits for."""
    for each in (thread, *[part for part, whole in list(RUNS_FOR.items()) if whole == thread]):
        step = None if each is None else RUNNING.get(each)
        if step is not None:
            step.cancel()
