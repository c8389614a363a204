"""One kind of step of a session: its partitions, registered with their workers, and its execution."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from itertools import chain
from typing import Any

from tfmini._src.base import errors
from tfmini._src.base.errors import (
    DeadlineExceededError,
    InternalError,
    InvalidArgumentError,
    OpError,
)
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.partition import Partition, task_of
from tfmini._src.cluster.remote_worker import RemoteWorker, RunThen, errors_of_tasks, located
from tfmini._src.cluster.worker import Worker
from tfmini._src.compiler.program.program import RECEIVES
from tfmini._src.executor.deadlines import DEADLINES
from tfmini._src.executor.tracing.recorder import Span
from tfmini._src.executor.tracing.step_stats import step_stats
from tfmini._src.executor.unattended_run import Soon, Then
from tfmini._src.graph.opdef import registry

TIMED_OUT = "Deadline Exceeded"
# For a step that has taken an element by its deadline to end with it.
_GRACE_SECONDS = 1.0


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

    asked: the tasks that this process's own part asks for tensors as soon as it begins.
    takes: whether it may take elements (of a queue, an iterator), which are lost where it is cancelled.
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
        self.fetches = [tensor.name for tensor in fetches]
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
        self.asked = {
            task_of(node.attr["send_device"].s.decode())
            for part, worker, _ in self.parts
            if isinstance(worker, Worker)
            for node in part.graph_def.node
            if node.op == "_Recv" and not node.input and not node.attr["client_terminated"].b
        }

        self.takes = any(map(_takes, self.graph_defs))

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
        stats: list[Any] | None,
        soon: Soon,
        then: Then,
    ) -> None:
        """Runs the step on fed arrays, in order, with `then(the fetched ones, error)` at its end.

        limit: the seconds that it may take, 0 for any time.
        stats: to be filled, if they are asked for.
        soon: what ends a wait has the step go on with it.
        """
        feeds = dict(zip(self._feeds, given))
        _Run(self, feeds, running, stats, soon, then).start(limit)

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


class _Run:
    """One run of a step, which ends when all its parts have."""

    def __init__(
        self,
        step: ClusterStep,
        feeds: Mapping[str, Any],
        running: RunningStep,
        stats: list[Any] | None,
        soon: Soon,
        then: Then,
    ):
        self._step = step
        self._feeds = feeds
        self._values = {name: feeds[name] for name in step.fetches if name in feeds}
        self._running = running
        self._stats = stats
        self._soon = soon
        self._then = then
        self._lock = make_lock()
        self._pending = len(step.parts) + 1  # with what starts them
        self._failures: list[BaseException] = []
        self._is_late = False
        self._forget_deadline: Callable[[], None] | None = None
        self._held: list[RemoteWorker] = []

    def start(self, limit: float) -> None:
        if limit:
            self._forget_deadline = DEADLINES.add(limit, self._stop_at_deadline)
        for part, worker, graph in self._step.parts:
            try:
                if isinstance(worker, Worker):
                    self._start_own(part, worker, graph)
                else:
                    self._start_other(part, worker, graph)
            except BaseException as error:  # as if it had ended with it
                self._has_ended({}, error)
        for worker in self._held:
            worker.channel.flush()
        self._has_ended({}, None)

    def _stop_at_deadline(self) -> None:
        """Ends what waits; what has been taken by then has a moment to be passed on."""
        running = self._running
        with self._lock:
            if not self._pending:
                return
            self._is_late = not self._failures
            if self._step.takes:
                self._forget_deadline = DEADLINES.add(_GRACE_SECONDS, running.cancel)
        if not self._step.takes:
            running.cancel()
            return
        for _, worker, _ in self._step.parts:
            if isinstance(worker, Worker):
                worker.take_no_more(running.number)
            else:
                worker.take_no_more(running.number, running.cancel)

    def _start_other(self, part: Partition, worker: RemoteWorker, graph: str) -> None:
        """Starts another task's part."""
        step, running = self._step, self._running
        sent = {key: (self._feeds[n], step.dtypes[n]) for n, key in part.feeds.items()}
        keys = list(part.fetches.values())

        def ended(brought: dict[str, Any], stats: Any, error: BaseException | None) -> None:
            if self._stats is not None and stats is not None:
                self._stats.append(stats)
            self._has_ended(brought, error, self._soon)

        then = brought_by(ended, part, running)
        timed = self._stats is not None
        # The task is woken once, by its part and by what is asked of it.
        if is_held := part.task in step.asked:
            self._held.append(worker)
        begun = worker.run(
            step.handle, graph, running.number, sent, keys, timed, then, is_held=is_held
        )
        running.add(begun)

    def _start_own(self, part: Partition, worker: Worker, graph: str) -> None:
        """Runs this process's part until it waits or ends."""
        running = self._running
        spans: list[Span] | None = None if self._stats is None else []
        over: list[bool] = []

        def stop() -> None:
            if not over:
                worker.cancel(running.number)

        def then(results: Any, error: BaseException | None) -> None:
            over.append(True)
            if self._stats is not None and spans:
                self._stats.append(step_stats(spans))
            if isinstance(error, OpError):
                error = located(part.task, error)
            self._has_ended({} if results is None else dict(zip(part.fetches, results)), error)

        running.add(stop)
        handle, keys = self._step.handle, list(part.fetches.values())
        given = {key: self._feeds[name] for name, key in part.feeds.items()}
        try:
            worker.run(handle, graph, running.number, given, keys, self._soon, then, spans)
        except OpError as error:
            then(None, error)

    def _has_ended(
        self, brought: Mapping[str, Any], error: BaseException | None, soon: Soon | None = None
    ) -> None:
        with self._lock:
            self._values.update(brought)
            if error is not None:
                self._failures.append(error)
            self._pending -= 1
            is_over = not self._pending
        if error is not None:
            self._running.cancel()
        if is_over and soon is not None:
            soon(self._finish)
        elif is_over:
            self._finish()

    def _finish(self) -> None:
        if self._forget_deadline is not None:
            self._forget_deadline()
        step, failures = self._step, self._failures
        try:
            step.clean_up(self._running.number, at_once=bool(failures))
        except BaseException as error:  # for who waits for the step
            failures.append(error)
        if failures and self._is_late:
            failures = [DeadlineExceededError(None, None, TIMED_OUT)]
        values = None if failures else [self._values[name] for name in step.fetches]
        self._then(values, first_of(failures))


def _takes(graph_def: Any) -> bool:
    """Whether a part or its functions may wait for more than tensors of other tasks."""
    nodes = chain(graph_def.node, *(each.node_def for each in graph_def.library.function))
    ops = {node.op for node in nodes} - RECEIVES
    return any(op in registry and registry[op].may_wait for op in ops)


def first_of(failures: Sequence[BaseException]) -> BaseException | None:
    """The root failure of a step, if there are any failures."""
    late = [error for error in failures if isinstance(error, DeadlineExceededError)]
    return late[0] if late else errors_of_tasks(failures) if failures else None


def brought_by(
    ended: RunThen, part: Partition, running: RunningStep, fetches: Container[str] | None = None
) -> RunThen:
    """Callback that takes the results of another task's part; if that part failed, it cancels the step.

    ended: called with the results by name.
    fetches: the names of those that it is asked for, by default all.
    """
    names = {key: n for n, key in part.fetches.items() if fetches is None or n in fetches}

    def then(values: dict[str, Any], stats: Any, error: BaseException | None) -> None:
        if error is None and values.keys() != names.keys():
            error = InternalError(None, None, f"{part.task} has not given what was fetched")
        brought = {} if error is not None else {names[k]: v for k, v in values.items()}
        ended(brought, stats, error)
        if error is not None:
            running.cancel()

    return then
