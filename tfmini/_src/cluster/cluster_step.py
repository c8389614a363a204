"""One kind of session step: its partitions, registered with their workers, and its execution."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from itertools import chain
from typing import Any

from tfmini._src.base import errors
from tfmini._src.base.errors import DeadlineExceededError, InternalError, OpError, invalid
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.partition import Partition, device_task
from tfmini._src.cluster.remote_worker import (
    RemoteWorker,
    RunCallback,
    prefix_task,
    task_errors,
)
from tfmini._src.cluster.worker import Worker
from tfmini._src.compiler.program.program import RECEIVE_OPS
from tfmini._src.executor.asynchronous_run import Callback, Submit
from tfmini._src.executor.deadlines import DEADLINES
from tfmini._src.executor.tracing.recorder import Span
from tfmini._src.executor.tracing.step_stats import step_stats
from tfmini._src.graph.opdef import registry

TIMED_OUT = "Deadline Exceeded"
# Grace period after the deadline for a step that has already taken an element.
_GRACE_SECONDS = 1.0


class RunningStep:
    """A running step, with the callbacks that cancel its partitions."""

    def __init__(self, step_id: int):
        self.step_id = step_id
        self._lock = make_lock()
        self._cancels: list[Callable[[], Any]] = []
        self._is_cancelled = False

    def add(self, cancel: Callable[[], Any]) -> None:
        """Registers `cancel` to be called when the step is cancelled, or immediately if it already has been."""
        with self._lock:
            is_late = self._is_cancelled
            if not is_late:
                self._cancels.append(cancel)
        if is_late:
            cancel()

    def cancel(self) -> None:
        """Cancels all partitions of the step that are still blocked."""
        with self._lock:
            if self._is_cancelled:
                return
            self._is_cancelled = True
            cancels, self._cancels = self._cancels, []
        for cancel in cancels:
            cancel()

    def end(self) -> None:
        """Drops the cancel callbacks: they reference the step, and the cycle would keep its tensors alive."""
        with self._lock:
            self._cancels.clear()


class ClusterStep:
    """The partitions of a step.

    Args:
      handle: the session's handle.
      parts: the partitions, each with its worker (a `Worker` for this process).
      graph_options: from the session's config, sent to other tasks.
      feeds, fetches: the fed and the fetched tensors.

    requested_tasks: the tasks from which this process's own partition requests tensors at its start.
    may_dequeue: whether it may take elements (from a queue or an iterator) that cancellation would lose.
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
                    graph_handle = worker.register(handle, part.graph_def)
                else:
                    graph_handle = worker.register(
                        handle, part.graph_def, part.has_control_flow, graph_options
                    )
                self.parts.append((part, worker, graph_handle))
        except BaseException:
            self.close()
            raise
        # This process's own part runs last; the other parts run in the meantime.
        self.parts.sort(key=lambda row: isinstance(row[1], Worker))
        self.requested_tasks = {
            device_task(node.attr["send_device"].s.decode())
            for part, worker, _ in self.parts
            if isinstance(worker, Worker)
            for node in part.graph_def.node
            if node.op == "_Recv" and not node.input and not node.attr["client_terminated"].b
        }

        self.may_dequeue = any(map(_may_block, self.graph_defs))

    def check_count(self, values: Sequence[Any]) -> None:
        """Checks the number of fed arrays; raises InvalidArgumentError if it differs from the number of feeds."""
        if len(values) != len(self._feeds):
            text = f"{len(values)} tensors for {len(self._feeds)} feeds: {', '.join(self._feeds)}"
            invalid(text)

    def run(
        self,
        values: Sequence[Any],
        limit: float,
        running: RunningStep,
        stats: list[Any] | None,
        soon: Submit,
        on_done: Callback,
    ) -> None:
        """Runs the step with fed arrays, in order; calls `on_done(fetched arrays, error)` when it has ended.

        limit: timeout in seconds, 0 for none.
        stats: if not None, receives the step's statistics.
        soon: scheduler that resumes the step after a wait.
        """
        feeds = dict(zip(self._feeds, values))
        _Run(self, feeds, running, stats, soon, on_done).start(limit)

    def clean_up(self, step_id: int, cleans_all: bool = False, immediately: bool = True) -> None:
        """Makes the tasks with tensors of a step, or all tasks, drop these tensors."""
        for part, worker, _ in self.parts:
            if isinstance(worker, Worker):
                worker.clean_up(step_id)
            elif cleans_all or part.exchanges:
                worker.clean_up(step_id, immediately)

    def close(self) -> None:
        """Makes the workers drop the partitions."""
        for _, worker, graph_handle in self.parts:
            try:
                worker.deregister(self.handle, graph_handle)
            except errors.OpError:  # the task has restarted, or its session is already closed
                pass
        self.parts.clear()


class _Run:
    """One run of a step; ends when all its parts have ended."""

    def __init__(
        self,
        step: ClusterStep,
        feeds: Mapping[str, Any],
        running: RunningStep,
        stats: list[Any] | None,
        soon: Submit,
        on_done: Callback,
    ):
        self._step = step
        self._feeds = feeds
        self._values = {name: feeds[name] for name in step.fetches if name in feeds}
        self._running = running
        self._stats = stats
        self._submit = soon
        self._on_done = on_done
        self._lock = make_lock()
        self._pending = len(step.parts) + 1  # plus one for starting the parts
        self._failures: list[BaseException] = []
        self._is_late = False
        self._forget_deadline: Callable[[], None] | None = None
        self._blocked_workers: list[RemoteWorker] = []

    def start(self, limit: float) -> None:
        if limit:
            self._forget_deadline = DEADLINES.add(limit, self._stop_at_deadline)
        for part, worker, graph in self._step.parts:
            try:
                if isinstance(worker, Worker):
                    self._start_local(part, worker, graph)
                else:
                    self._start_remote(part, worker, graph)
            except BaseException as error:  # handled as if the step had ended with this error
                self._has_ended({}, error)
        for worker in self._blocked_workers:
            worker.channel.flush()
        self._has_ended({}, None)

    def _stop_at_deadline(self) -> None:
        """Ends blocked parts at the deadline; elements already taken get a grace period to be passed on."""
        running = self._running
        with self._lock:
            if not self._pending:
                return
            self._is_late = not self._failures
            if self._step.may_dequeue:
                self._forget_deadline = DEADLINES.add(_GRACE_SECONDS, running.cancel)
        if not self._step.may_dequeue:
            running.cancel()
            return
        for _, worker, _ in self._step.parts:
            if isinstance(worker, Worker):
                worker.stop_dequeuing(running.step_id)
            else:
                worker.stop_dequeuing(running.step_id, running.cancel)

    def _start_remote(self, part: Partition, worker: RemoteWorker, graph: str) -> None:
        """Starts another task's part."""
        step, running = self._step, self._running
        sent = {key: (self._feeds[n], step.dtypes[n]) for n, key in part.feeds.items()}
        keys = list(part.fetches.values())

        def on_end(
            received_values: dict[str, Any], stats: Any, error: BaseException | None
        ) -> None:
            if self._stats is not None and stats is not None:
                self._stats.append(stats)
            self._has_ended(received_values, error, self._submit)

        on_done = results_callback(on_end, part, running)
        timed = self._stats is not None
        # The task is woken only once, because its part is sent together with the tensor requests to it.
        if is_held := part.task in step.requested_tasks:
            self._blocked_workers.append(worker)
        started = worker.run(
            step.handle, graph, running.step_id, sent, keys, timed, on_done, is_held=is_held
        )
        running.add(started)

    def _start_local(self, part: Partition, worker: Worker, graph: str) -> None:
        """Runs this process's part until it blocks or ends."""
        running = self._running
        spans: list[Span] | None = None if self._stats is None else []
        has_ended = False

        def stop() -> None:
            if not has_ended:
                worker.cancel(running.step_id)

        def on_done(results: Any, error: BaseException | None) -> None:
            nonlocal has_ended
            has_ended = True
            if self._stats is not None and spans:
                self._stats.append(step_stats(spans))
            if isinstance(error, OpError):
                error = prefix_task(part.task, error)
            self._has_ended({} if results is None else dict(zip(part.fetches, results)), error)

        running.add(stop)
        handle, keys = self._step.handle, list(part.fetches.values())
        values = {key: self._feeds[name] for name, key in part.feeds.items()}
        try:
            worker.run(handle, graph, running.step_id, values, keys, self._submit, on_done, spans)
        except OpError as error:
            on_done(None, error)

    def _has_ended(
        self,
        received_values: Mapping[str, Any],
        error: BaseException | None,
        soon: Submit | None = None,
    ) -> None:
        with self._lock:
            self._values.update(received_values)
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
            step.clean_up(self._running.step_id, immediately=bool(failures))
        except BaseException as error:  # reported to the step's waiter
            failures.append(error)
        if failures and self._is_late:
            failures = [DeadlineExceededError(None, None, TIMED_OUT)]
        values = None if failures else [self._values[name] for name in step.fetches]
        self._on_done(values, root_failure(failures))


def _may_block(graph_def: Any) -> bool:
    """Whether a partition or its functions may block on anything other than tensors from other tasks."""
    nodes = chain(graph_def.node, *(function.node_def for function in graph_def.library.function))
    ops = {node.op for node in nodes} - RECEIVE_OPS
    return any(op in registry and registry[op].may_wait for op in ops)


def root_failure(failures: Sequence[BaseException]) -> BaseException | None:
    """Returns the root cause among a step's failures; None if there are none."""
    deadline_errors = [error for error in failures if isinstance(error, DeadlineExceededError)]
    return deadline_errors[0] if deadline_errors else task_errors(failures) if failures else None


def results_callback(
    on_results: RunCallback,
    part: Partition,
    running: RunningStep,
    fetches: Container[str] | None = None,
) -> RunCallback:
    """Returns the callback for another task's part: delivers its results, or cancels the step if the part failed.

    on_results: called with the results, by name.
    fetches: names of the requested results, by default all.
    """
    names = {key: n for n, key in part.fetches.items() if fetches is None or n in fetches}

    def on_done(values: dict[str, Any], stats: Any, error: BaseException | None) -> None:
        if error is None and values.keys() != names.keys():
            error = InternalError(None, None, f"{part.task} did not return the fetched tensors")
        received_values = {} if error is not None else {names[k]: v for k, v in values.items()}
        on_results(received_values, stats, error)
        if error is not None:
            running.cancel()

    return on_done
