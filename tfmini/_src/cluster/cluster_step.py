"""One kind of step of a session: its partitions, registered with their workers, and its execution."""

from __future__ import annotations

import threading
from collections.abc import Callable, Container, Mapping, Sequence
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from tfmini._src.base import errors
from tfmini._src.base.errors import (
    DeadlineExceededError,
    InternalError,
    InvalidArgumentError,
    OpError,
)
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.partition import Partition
from tfmini._src.cluster.remote_worker import RemoteWorker, RunThen, errors_of_tasks, located
from tfmini._src.cluster.worker import Worker
from tfmini._src.executor.tracing.recorder import Span
from tfmini._src.executor.tracing.step_stats import step_stats

TIMED_OUT = "Deadline Exceeded"


class RunningStep:
    """A step in progress, with the callbacks that cancel its parts."""

    def __init__(self, number: int):
        self.number = number
        self._lock = make_lock()
        self._cancels: list[Callable[[], Any]] = []
        self._is_cancelled = False

    def add(self, cancel: Callable[[], Any]) -> None:
        """Registers `cancel` to be called when the step is cancelled, or at once if it already is."""
        with self._lock:
            is_late = self._is_cancelled
            if not is_late:
                self._cancels.append(cancel)
        if is_late:
            cancel()

    def cancel(self) -> None:
        """Cancels all parts of the step that still wait."""
        with self._lock:
            if self._is_cancelled:
                return
            self._is_cancelled = True
            cancels, self._cancels = self._cancels, []
        for cancel in cancels:
            cancel()

    def end(self) -> None:
        """Drops the cancel callbacks: they refer to the step, and the cycle would keep its tensors alive."""
        with self._lock:
            self._cancels.clear()


class ClusterStep:
    """The partitions of a step.

    Args:
      handle: of the session.
      parts: each with its worker; the worker of this process has a `Worker`.
      graph_options: of the session's config, for other tasks.
      feeds, fetches: the tensors that it is fed and that it fetches.
    """

    def __init__(
        self,
        handle: str,
        parts: Sequence[tuple[Partition, Worker | RemoteWorker]],
        graph_options: Any,
        feeds: Sequence[Any],
        fetches: Sequence[Any],
    ):
        self.handle = handle
        self._feeds = [tensor.name for tensor in feeds]
        self._fetches = [tensor.name for tensor in fetches]
        self.dtypes = {tensor.name: tensor.dtype.base_dtype for tensor in feeds}
        self.fetched_dtypes = [tensor.dtype.base_dtype for tensor in fetches]
        self.parts: list[tuple[Partition, Worker | RemoteWorker, str]] = []
        self.graph_defs = [part.graph_def for part, _ in parts]
        try:
            for part, worker in parts:
                if isinstance(worker, Worker):
                    number = worker.register(handle, part.graph_def)
                else:
                    number = worker.register(
                        handle, part.graph_def, part.has_control_flow, graph_options
                    )
                self.parts.append((part, worker, number))
        except BaseException:
            self.close()
            raise
        # This process's own part comes last: the others run meanwhile.
        self.parts.sort(key=lambda row: isinstance(row[1], Worker))

    def check_count(self, given: Sequence[Any]) -> None:
        """Checks that there is an array for each feed.

        Raises:
          InvalidArgumentError: there are fewer, or more.
        """
        if len(given) != len(self._feeds):
            text = f"{len(given)} tensors for {len(self._feeds)} feeds: {', '.join(self._feeds)}"
            raise InvalidArgumentError(None, None, text)

    def run(
        self,
        given: Sequence[Any],
        limit: float,
        running: RunningStep,
        stats: list[Any] | None = None,
    ) -> list[Any]:
        """Runs the step on fed arrays, in order; returns the fetched ones. `limit` is in seconds, 0 for none.

        Raises:
          DeadlineExceededError: if it takes longer.
          OpError: what has ended it on some task.
        """
        ended: SimpleQueue[Any] = SimpleQueue()
        feeds = dict(zip(self._feeds, given))
        values: dict[str, Any] = {n: feeds[n] for n in self._fetches if n in feeds}
        deadline = monotonic() + limit if limit else None
        own: tuple[Partition, Worker, str] | None = None
        pending = 0
        for part, worker, number in self.parts:
            if isinstance(worker, Worker):
                own = (part, worker, number)
                continue
            sent = {key: (feeds[n], self.dtypes[n]) for n, key in part.feeds.items()}
            keys = list(part.fetches.values())
            then = brought_by(ended, part, running)
            timed = stats is not None
            running.add(worker.run(self.handle, number, running.number, sent, keys, timed, then))
            pending += 1
        failures: list[BaseException] = []
        if own is not None:
            try:
                values.update(self._run_own(own, feeds, running, deadline, stats))
            except OpError as error:
                failures.append(error)
                running.cancel()
        for _ in range(pending):
            left = None if deadline is None or failures else max(0.0, deadline - monotonic())
            try:
                brought, part_stats, failure = ended.get(timeout=left)
            except Empty:
                failures.append(DeadlineExceededError(None, None, TIMED_OUT))
                running.cancel()
                brought, part_stats, failure = ended.get()
            values.update(brought)
            if stats is not None and part_stats is not None:
                stats.append(part_stats)
            if failure is not None:
                failures.append(failure)
        self.clean_up(running.number, at_once=bool(failures))
        raise_first(failures)
        return [values[name] for name in self._fetches]

    def _run_own(
        self,
        own: tuple[Partition, Worker, str],
        feeds: Mapping[str, Any],
        running: RunningStep,
        deadline: float | None,
        stats: list[Any] | None,
    ) -> dict[str, Any]:
        """Runs this process's part."""
        part, worker, number = own
        step = worker.begin(self.handle, running.number)
        spans: list[Span] | None = None if stats is None else []
        over: list[bool] = []
        late: list[bool] = []

        def stop() -> None:
            if not over:
                step.cancel()
                worker.cancel(running.number)

        def stop_at_deadline() -> None:
            if not over:
                late.append(True)
                running.cancel()

        running.add(stop)
        timer = None
        if deadline is not None:
            timer = threading.Timer(max(0.0, deadline - monotonic()), stop_at_deadline)
            timer.daemon = True
            timer.start()
        keys = list(part.fetches.values())
        try:
            given = {key: feeds[name] for name, key in part.feeds.items()}
            results = worker.run(self.handle, number, running.number, given, keys, spans, step)
        except OpError as error:
            if late:
                raise DeadlineExceededError(None, None, TIMED_OUT) from None
            raise located(part.task, error) from None
        finally:
            over.append(True)
            if timer is not None:
                timer.cancel()
        if stats is not None and spans:
            stats.append(step_stats(spans))
        return dict(zip(part.fetches, results))

    def clean_up(self, number: int, all_of_them: bool = False, at_once: bool = True) -> None:
        """Makes the tasks drop the tensors of a step: all tasks, or those that hold some."""
        for part, worker, _ in self.parts:
            if isinstance(worker, Worker):
                worker.clean_up(number)
            elif all_of_them or part.exchanges:
                worker.clean_up(number, at_once)

    def close(self) -> None:
        """Makes the workers drop the partitions."""
        for _, worker, number in self.parts:
            try:
                worker.deregister(self.handle, number)
            except errors.OpError:  # it has started again, or its session has gone before
                pass
        self.parts.clear()


def raise_first(failures: Sequence[BaseException]) -> None:
    """Raises the root failure of a step, if there are any failures."""
    if failures:
        late = [e for e in failures if isinstance(e, DeadlineExceededError)]
        raise late[0] if late else errors_of_tasks(failures)


def brought_by(
    ended: SimpleQueue[Any],
    part: Partition,
    running: RunningStep,
    fetches: Container[str] | None = None,
) -> RunThen:
    """Callback that takes the results of another task's part; if that part failed, it cancels the step.

    fetches: the names of those that it is asked for, by default all.
    """
    names = {key: n for n, key in part.fetches.items() if fetches is None or n in fetches}

    def then(values: dict[str, Any], stats: Any, error: BaseException | None) -> None:
        if error is None and values.keys() != names.keys():
            error = InternalError(None, None, f"{part.task} has not given what was fetched")
        brought = {} if error is not None else {names[k]: v for k, v in values.items()}
        ended.put((brought, stats, error))
        if error is not None:
            running.cancel()

    return then
