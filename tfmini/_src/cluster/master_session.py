"""A session on a master: its graph, placed on the devices of all tasks, and its recent step kinds."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from tfmini._src.base import proto
from tfmini._src.base.errors import AbortedError, CancelledError, NotFoundError, OpError, invalid
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.cluster_step import ClusterStep, RunningStep
from tfmini._src.cluster.partial_runs import PartialRun
from tfmini._src.cluster.partition import partition
from tfmini._src.cluster.remote_worker import RemoteWorker
from tfmini._src.cluster.session_graph import extend
from tfmini._src.cluster.task_view import TaskView
from tfmini._src.cluster.worker import Worker
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.compiler.program.graph_order import reachable
from tfmini._src.devices.attributes import DeviceAttributes
from tfmini._src.executor.asynchronous_run import Callback, Submit, run_blocking
from tfmini._src.executor.inline.inline import InlinedGraph
from tfmini._src.graph.graph import Graph

_MAX_STEPS = 1000
_CLOSED_SESSION_ERROR = "Step was cancelled by an explicit call to `Session::Close()`."
_IS_CLOSED = "Session has been closed."


class StepKey(NamedTuple):
    """Names of a step's feeds, fetches and targets."""

    feeds: tuple[str, ...]
    fetches: tuple[str, ...]
    targets: tuple[str, ...]


class MasterSession:
    """A session, named `handle` on every task; `devices`: the devices of all tasks, this server's first."""

    def __init__(
        self,
        handle: str,
        devices: list[DeviceAttributes],
        workers: dict[str, Worker | RemoteWorker],
        config: Any,
        view: TaskView,
    ):
        self.handle = handle
        self.devices = devices
        self._workers = workers
        self._config = config
        self._incarnations = {device.name: device.incarnation for device in devices}
        self._graph = Graph()
        self._view = view
        self._placement = Placement(
            devices,
            config.allow_soft_placement,
            config.log_device_placement,
            config.graph_options.place_pruned_graph,
        )
        self._inlined_graph = InlinedGraph(
            self._graph, self._placement, view.attached, is_for_tasks=True
        )
        self._version = -1  # version 0 is the first graph
        self._placed = -1
        self._steps: dict[StepKey, ClusterStep] = {}
        self._partial_runs: dict[str, PartialRun] = {}
        self._callables: dict[int, tuple[StepKey, Any]] = {}
        self._callable_handles = itertools.count(1)
        self._running: dict[RunningStep, ClusterStep] = {}
        self._is_closed = False
        self._lock = make_lock(blocks_fork=True)
        self._list_lock = make_lock()

    def open(self, cluster: Any) -> None:
        """Opens the session on its tasks."""
        isolated = self._config.isolate_session_state
        if cluster is not None:
            shared = self._config.experimental.share_session_state_in_clusterspec_propagation
            isolated = isolated or not shared
        for worker in self._workers.values():
            if isinstance(worker, Worker):
                worker.create_session(self.handle, isolated, self._view)
            else:
                worker.create_session(self.handle, isolated, cluster)

    def extend(self, graph_def: Any, version: int) -> int:
        """Adds nodes to the graph if `version` is current; returns the next version.

        Raises:
          AbortedError: if it has a different version.
          InvalidArgumentError: if the nodes do not fit the graph.
        """
        with self._lock:
            self._check_open()
            if version != self._version:
                raise AbortedError(
                    None,
                    None,
                    f"Current version is {self._version} but caller expected {version}.",
                )
            extend(self._graph, graph_def)
            self._version += 1
            return self._version

    def run(
        self,
        key: StepKey,
        feeds: Sequence[Any],
        options: Any,
        metadata: Any,
        on_begin: Callable[[RunningStep], Any],
        soon: Submit,
        on_done: Callback,
    ) -> None:
        """Runs a step; calls `on_done((fetched arrays, their dtypes), error)` when it has ended.

        Args:
          feeds: arrays for the feeds of `key`, in order.
          options: a RunOptions, or None.
          metadata: a RunMetadata to fill, or None.
          on_begin: called with an object that can cancel the step.
          soon: scheduler that resumes the step after a wait.

        Raises:
          OpError: if the step is invalid.
        """
        step, running = self._begin(key)
        timed = False
        if options is not None:
            timed = metadata is not None and options.trace_level == proto.RunOptions.FULL_TRACE
        stats: list[Any] | None = [] if timed else None

        def over(values: list[Any] | None, error: BaseException | None) -> None:
            running.end()
            with self._list_lock:
                self._running.pop(running, None)
            if isinstance(error, CancelledError) and self._is_closed:
                error = CancelledError(None, None, _CLOSED_SESSION_ERROR)
            if values is None:
                on_done(None, error)
                return
            if metadata is not None:
                for partial in stats or ():
                    metadata.step_stats.dev_stats.extend(partial.dev_stats)
                if options is not None and options.output_partition_graphs:
                    metadata.partition_graphs.extend(step.graph_defs)
            on_done((values, step.fetched_dtypes), None)

        try:
            on_begin(running)
            step.check_count(feeds)
        except OpError as error:
            over(None, error)
        else:
            step.run(feeds, self._limit(options), running, stats, soon, over)

    def run_locally(
        self, key: StepKey, feeds: Sequence[Any], options: Any = None, metadata: Any = None
    ) -> list[Any]:
        """Runs a step for a client on this thread, blocking; returns the fetched arrays.

        Raises:
          OpError: as raised by an operation, or because of a lost task.
        """
        running_steps: list[RunningStep] = []

        def cancel() -> None:
            for running in running_steps:
                running.cancel()

        begin = partial(self.run, key, feeds, options, metadata, running_steps.append)
        values: list[Any] = run_blocking(begin, cancel)[0]
        return values

    def _limit(self, options: Any) -> float:
        """Returns the timeout of a step in seconds; 0 for none."""
        limit = self._config.operation_timeout_in_ms
        return max(0, limit if options is None else options.timeout_in_ms or limit) / 1000

    def set_up_partial_run(self, key: StepKey) -> str:
        """Sets up a partial run; returns its handle."""
        with self._lock:
            step = self._step(key)
            inlined = self._inlined_graph
            feeds = [inlined.tensor(self._tensor(name, "fed")) for name in key.feeds]
            fetches = [inlined.tensor(self._tensor(name, "fetched")) for name in key.fetches]
            running = RunningStep(1 << 56 | secrets.randbits(56))
            run = PartialRun(step, fetches, feeds, running)
            handle = f"{running.step_id:016x}"
            with self._list_lock:
                self._running[running] = step
            self._partial_runs[handle] = run
            return handle

    def run_partly(
        self,
        handle: str,
        key: StepKey,
        feeds: Sequence[Any],
        options: Any = None,
        on_begin: Callable[[RunningStep], Any] | None = None,
    ) -> tuple[list[Any], list[Any]]:
        """Feeds and fetches more of a partial run; same arguments and results as `run`.

        Raises:
          InvalidArgumentError: for an unknown handle, or a tensor that was not set up, is fed or fetched twice, or is
            not computable yet.
        """
        run = self._partial_runs.get(handle)
        if run is None:
            invalid("Must run PartialRunSetup before performing partial runs")
        self._check_open()
        inlined = self._inlined_graph
        fed_tensors = [inlined.tensor(self._tensor(name, "fed")) for name in key.feeds]
        fetches = [inlined.tensor(self._tensor(name, "fetched")) for name in key.fetches]
        if on_begin is not None:
            on_begin(run.running)
        try:
            values = run.go_on(dict(zip(fed_tensors, feeds)), fetches, self._limit(options))
        finally:
            if run.is_over:
                self._partial_runs.pop(handle, None)
                run.running.end()
                with self._list_lock:
                    self._running.pop(run.running, None)
        return values, [tensor.dtype.base_dtype for tensor in fetches]

    def make_callable(self, options: Any) -> int:
        """Creates a callable from CallableOptions; returns its handle."""
        key = StepKey(tuple(options.feed), tuple(options.fetch), tuple(options.target))
        with self._lock:
            self._step(key)
        callable_handle = next(self._callable_handles)
        self._callables[callable_handle] = (key, options.run_options)
        return callable_handle

    def callable(self, callable_handle: int) -> tuple[StepKey, Any]:
        """Returns the step key and RunOptions of a callable."""
        if callable_handle not in self._callables:
            invalid(f"No such callable handle: {callable_handle}")
        return self._callables[callable_handle]

    def release_callable(self, callable_handle: int) -> None:
        self._callables.pop(callable_handle, None)

    def close(self) -> None:
        """Cancels running steps, and makes the tasks drop the session."""
        with self._list_lock:
            if self._is_closed:
                return
            self._is_closed = True
            running = list(self._running)
        for step in running:
            step.cancel()
        with self._lock:
            self._steps.clear()
            partial_runs = list(self._partial_runs.values())
            self._partial_runs.clear()
        for run in partial_runs:
            run.give_up()
        for worker in self._workers.values():
            worker.delete_session(self.handle)

    def _check_open(self) -> None:
        if self._is_closed:
            raise CancelledError(None, None, _IS_CLOSED)

    def _step(self, key: StepKey) -> ClusterStep:
        """Returns the partitions of a step, created and registered on first use; the caller holds the lock."""
        self._check_open()
        self._steps_are_placed()
        step = self._steps.get(key)
        if step is None:
            self._drop_idle_steps()
            step = self._steps[key] = self._new_step(key)
        return step

    def _begin(self, key: StepKey) -> tuple[ClusterStep, RunningStep]:
        """Returns a step of this kind, retained until it ends."""
        running = RunningStep(1 << 56 | secrets.randbits(56))
        while True:
            step = self._steps.get(key)
            if step is None or self._placed != self._version:
                with self._lock:
                    step = self._step(key)
            with self._list_lock:
                self._check_open()
                if self._steps.get(key) is step:  # not dropped in the meantime
                    self._running[running] = step
                    return step, running

    def _drop_idle_steps(self) -> None:
        """Drops the oldest idle step kinds to make space for a new one."""
        with self._list_lock:
            busy_steps = set(self._running.values())
            idle = [key for key, step in self._steps.items() if step not in busy_steps]
            excess_count = len(self._steps) - _MAX_STEPS + 1
            dropped = [self._steps.pop(key) for key in idle[: max(0, excess_count)]]
        for step in dropped:
            step.close()

    def _steps_are_placed(self) -> None:
        """Places the nodes added to the graph."""
        if self._placed != self._version:
            self._placement.update(self._inlined_graph.update())
            self._placed = self._version

    def _new_step(self, key: StepKey) -> ClusterStep:
        inlined = self._inlined_graph
        feeds = [inlined.tensor(self._tensor(name, "fed")) for name in key.feeds]
        fetches = [inlined.tensor(self._tensor(name, "fetched")) for name in key.fetches]
        targets = [inlined.operation(op) for op in self._operations(key.targets)]
        if not fetches and not targets:
            invalid("Must specify at least one target to fetch or execute.")
        if self._placement.pruned:
            self._placement.place_step(reachable(fetches, feeds, targets))
        device_of = self._placement.op_device
        parts = partition(inlined.graph, device_of, fetches, feeds, targets, self._incarnations)
        workers = [(part, self._workers[part.task]) for part in parts]
        return ClusterStep(self.handle, workers, self._config.graph_options, feeds, fetches)

    def _tensor(self, name: str, use: str) -> Any:
        node, _, output_index = name.partition(":")
        op = self._graph._nodes_by_name.get(node)
        if op is None or not (output_index or "0").isdigit():
            feed_message = f"FeedInputs: unable to find feed output {name}"
            fetch_message = f"FetchOutputs node {name}: not found"
            raise NotFoundError(None, None, feed_message if use == "fed" else fetch_message)
        count = len(op.outputs)
        if int(output_index or 0) >= count:
            feed_message = f"FeedInputs: {name} should have output index < {count}"
            fetch_message = f"FetchOutputs {name}: output index too large, must be < {count}"
            invalid(feed_message if use == "fed" else fetch_message)
        return op.outputs[int(output_index or 0)]

    def _operations(self, names: Sequence[str]) -> list[Any]:
        operations = [self._graph._nodes_by_name.get(name.partition(":")[0]) for name in names]
        missing = "".join(f"{name} " for name, op in zip(names, operations) if op is None)
        if missing:
            text = f"PruneForTargets: Some target nodes not found: {missing}"
            raise NotFoundError(None, None, text)
        return operations
