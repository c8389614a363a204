"""A partial run of a server's session, across all participating tasks."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import partial
from queue import SimpleQueue
from typing import Any

from tfmini._src.base.errors import CancelledError, DeadlineExceededError, OpError
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.cluster_step import (
    TIMED_OUT,
    ClusterStep,
    RunningStep,
    results_callback,
    root_failure,
)
from tfmini._src.cluster.remote_worker import prefix_task
from tfmini._src.cluster.worker import Worker
from tfmini._src.executor.partial import PartialRunProgress


class PartialRun:
    """One partial run: all its partitions, the tensors set up for it, and the handle that cancels it."""

    def __init__(
        self,
        step: ClusterStep,
        fetches: Sequence[Any],
        feeds: Sequence[Any],
        running: RunningStep,
    ):
        self.running = running
        self.is_over = False
        self._step = step
        self._announced = PartialRunProgress(fetches, feeds)
        self._lock = make_lock()
        for _, worker, _ in step.parts:
            if isinstance(worker, Worker):
                running.add(partial(worker.cancel, running.step_id))

    def go_on(self, feeds: Mapping[Any, Any], fetches: Sequence[Any], limit: float) -> list[Any]:
        """Feeds arrays by tensor, and returns the arrays of `fetches`; `limit` is in seconds, 0 for none.

        Raises:
          DeadlineExceededError: if it takes longer.
          InvalidArgumentError: for a tensor that was not set up, is fed or fetched twice, or is not computable yet.
          OpError: as raised by a failed task.
        """
        with self._lock:
            progress = self._announced
            progress.check(list(feeds), fetches)
            progress.note(list(feeds), fetches)
            is_late = False

            def stop() -> None:
                nonlocal is_late
                is_late = True  # before the limit ends anything
                self.running.cancel()

            timer = threading.Timer(limit, stop)
            timer.daemon = True
            if limit:
                timer.start()
            try:
                values = self._run(feeds, fetches, progress.is_done)
            except BaseException as error:
                self.give_up()
                if is_late and isinstance(error, CancelledError):
                    raise DeadlineExceededError(None, None, TIMED_OUT) from None
                raise
            finally:
                timer.cancel()
            if progress.is_done:
                self.give_up()
            return [values[tensor.name] for tensor in fetches]

    def _run(
        self, feeds: Mapping[Any, Any], fetches: Sequence[Any], is_last: bool
    ) -> dict[str, Any]:
        step, running = self._step, self.running
        arguments = {tensor.name: value for tensor, value in feeds.items()}
        names = {tensor.name for tensor in fetches}
        values = {tensor.name: feeds[tensor] for tensor in fetches if tensor in feeds}
        outcomes: SimpleQueue[Any] = SimpleQueue()
        failures: list[BaseException] = []
        pending = 0
        for part, worker, graph in step.parts:  # this process's own part runs last
            sent = {key: arguments[name] for name, key in part.feeds.items() if name in arguments}
            keys = [key for name, key in part.fetches.items() if name in names]
            if isinstance(worker, Worker):
                try:
                    results = worker.run_partly(
                        step.handle, graph, running.step_id, sent, keys, is_last
                    )
                except OpError as error:
                    failures.append(prefix_task(part.task, error))
                    running.cancel()
                else:
                    names_here = [name for name in part.fetches if name in names]
                    values.update(zip(names_here, results))
                continue
            typed = {
                key: (arguments[name], step.dtypes[name])
                for name, key in part.feeds.items()
                if name in arguments
            }
            on_results = results_callback(lambda *row: outcomes.put(row), part, running, names)
            running.add(
                worker.run(
                    step.handle, graph, running.step_id, typed, keys, False, on_results, is_last
                )
            )
            pending += 1
        for _ in range(pending):
            received_values, _, failure = outcomes.get()
            values.update(received_values)
            if failure is not None:
                failures.append(failure)
        failed = root_failure(failures)
        if failed is not None:
            raise failed
        return values

    def give_up(self) -> None:
        """Makes the tasks drop the run."""
        self.is_over = True
        self._step.clean_up(self.running.step_id, cleans_all=True)
