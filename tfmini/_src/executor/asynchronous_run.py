"""Asynchronous execution of a blocking plan; each completed wait resumes it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from queue import SimpleQueue
from typing import Any

from tfmini._src.base.errors import OpError
from tfmini._src.base.locks import make_lock
from tfmini._src.executor.state.cancellation import begin, end, running
from tfmini._src.executor.waiting_plan import Run, WaitingPlan
from tfmini._src.ops.pending_ops import Step

# Schedules a function on a thread, because the completion callback of a wait may run in any context.
Submit = Callable[[Callable[[], Any]], Any]
Callback = Callable[[Any, BaseException | None], Any]


class AsynchronousRun:
    """An asynchronous run; calls `on_done(results, error)` on completion.

    step_context: `during(step)` is a context manager entered around each piece of the run.
    """

    def __init__(
        self,
        plan: WaitingPlan,
        step: Step,
        feeds: Sequence[Any],
        submit: Submit,
        on_done: Callable[[tuple[Any, ...] | None, BaseException | None], Any],
        step_context: Callable[[Step], AbstractContextManager[Any]] = nullcontext,
    ):
        self._run = Run(plan, step, feeds, (False, None), self._on_wait_end)
        self._resources = plan.resources
        self._submit = submit
        self._on_done = on_done
        self._step_context = step_context
        self._lock = make_lock()
        self._ended: deque[int] = deque()
        self._is_active = True  # running in a thread, or scheduled
        self._failure: BaseException | None = None

    def start(self) -> None:
        """Runs in this thread until the run blocks or ends."""
        begin(self._run.step, self._resources)
        self._run_piece(self._run.begin)
        self._advance()

    def _on_wait_end(self, index: int) -> None:
        with self._lock:
            self._ended.append(index)
            if self._is_active:
                return
            self._is_active = True
        self._submit(self._advance)

    def _advance(self) -> None:
        run = self._run
        while run.begun:
            with self._lock:
                if not self._ended:
                    self._is_active = False
                    return
                index = self._ended.popleft()
            if self._failure is None:
                self._run_piece(lambda: run.end(index))  # noqa: B023  called immediately
            else:  # its results are discarded
                del run.begun[index]
        self._finish()

    def _run_piece(self, function: Callable[[], None]) -> None:
        """Runs a piece; on failure, cancels all waits."""
        step = self._run.step
        try:
            with running(step, self._resources), self._step_context(step):
                function()
        except BaseException as error:  # reported to the waiting threads
            self._failure = error
            step.cancel()

    def _finish(self) -> None:
        run, results, error = self._run, None, self._failure
        if error is None:
            try:
                results = run.fetched_values()
            except BaseException as failure:  # reported to the waiting threads
                error = failure
        elif isinstance(error, OpError):
            with running(run.step, self._resources):
                run.end_parts()
        end(run.step, self._resources)
        on_done = self._on_done
        del self._run, self._on_done, self._failure  # breaks a reference cycle
        on_done(results, error)


def run_blocking(begin: Callable[[Submit, Callback], Any], cancel: Callable[[], Any]) -> Any:
    """Starts a run with `begin(submit, on_done)`, executes it in this thread and returns its results when it ends.

    cancel: cancels the run if this thread is interrupted.
    """
    submitted: SimpleQueue[Callable[[], Any]] = SimpleQueue()
    outcome: list[Any] = []
    begin(submitted.put, lambda *ended: outcome.extend(ended))
    try:
        while not outcome:
            submitted.get()()
    except BaseException:  # Ctrl-C
        cancel()
        while not outcome:
            submitted.get()()
        raise
    results, error = outcome
    outcome.clear()
    if error is None:
        return results
    try:
        raise error
    finally:
        del error  # its traceback contains this frame: a cycle
