"""`BaseSession`: runs the part of a graph that the fetches depend on."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, TypeVar, overload

from tfmini._src.base import proto
from tfmini._src.base.errors import (
    CancelledError,
    OpError,
    UnavailableError,
    invalid,
)
from tfmini._src.base.locks import make_lock
from tfmini._src.base.read_only import read_only
from tfmini._src.cluster import remote_session
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.devices.attributes import TASK, DeviceAttributes
from tfmini._src.devices.host.memory import keep_freed_memory
from tfmini._src.devices.host.threads import configure
from tfmini._src.devices.registry import listed, session_devices
from tfmini._src.executor.inline.function_plans import FunctionPlans
from tfmini._src.executor.inline.inline import InlinedGraph
from tfmini._src.executor.plan import Plan
from tfmini._src.executor.state.resources import Resources, close_with
from tfmini._src.graph import default_stack
from tfmini._src.graph.attributes import to_bytes
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.default_stack import FeedDict
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.notebooks import object_table
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session import callables, partial_runs, targets
from tfmini._src.session.compile_step import find_step, plan_for_shapes
from tfmini._src.session.default_config import is_mixed, session_config
from tfmini._src.session.device_feeds import split
from tfmini._src.session.feeds import fed_value, feed_pairs
from tfmini._src.session.fetches import Fetch, Fetches, NamedFields, to_fetched_value
from tfmini._src.session.plan_cache import LRUCache, Plans, fetch_key
from tfmini._src.session.run_options import (
    check_options,
    check_pool,
    execute,
    fill_metadata,
    has_costs,
    requests_times,
)
from tfmini._src.session.step_hints import hint_at_cause

if TYPE_CHECKING:
    from tfmini._src.cluster.remote_session import RemoteSession
    from tfmini._src.devices.device import Device
    from tfmini._src.executor.partial import PartialProgram, PartialRun
    from tfmini._src.executor.tracing.recorder import Span
    from tfmini._src.executor.waiting_plan import WaitingPlan
    from tfmini._src.session.callables import OptionsCallable

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


open_sessions: weakref.WeakSet[BaseSession] = weakref.WeakSet()


class BaseSession:
    """Base class of `Session` and `InteractiveSession`.

    Args:
      target: "" for this process, "grpc://host:port" for a server.
      graph: the graph to run; defaults to the default graph.
      config: a `ConfigProto`; defaults to the options set by `tf.config`.

    Raises:
      TypeError: if an argument has the wrong type.
    """

    graph: Graph = read_only("The session's graph.")
    sess_str: bytes = read_only("The session target.", "_target")

    def __init__(
        self,
        target: str | bytes | None = "",
        graph: Graph | None = None,
        config: proto.ConfigProto | None = None,
    ):
        if graph is None:
            graph = get_default_graph()
        elif not isinstance(graph, Graph):
            raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
        targets.check_type(target)
        config = session_config(config)
        target = to_bytes(target or "")
        is_remote = target.startswith(targets.REMOTE)
        if target and not is_remote:
            raise targets.no_factory_error(target, config)
        self._graph = graph
        self._target = target
        self._config = config
        self._closed = False
        self._version = 0  # graph version at the last `_extend`
        self._cancelled = False
        self._lock = make_lock(blocks_fork=True)
        self._resources = Resources()
        self._steps = Plans()
        self._counts: Counter[Hashable] = Counter()  # runs per step, if the config enables costs
        self._partial_runs: dict[str, PartialRun] = {}
        self._partial_programs: LRUCache[Hashable, PartialProgram] = LRUCache()
        self._remote: RemoteSession | None = None
        self._time_limit = 0
        self._devices: dict[str, Device] = {}
        if is_remote:
            targets.check_address(target)
            self._remote = remote_session.RemoteSession(target.decode(), graph, config)
            return
        keep_freed_memory()
        configure(0 if config is None else config.intra_op_parallelism_threads)
        self._time_limit = 0 if config is None else max(0, config.operation_timeout_in_ms)
        soft = config is not None and config.allow_soft_placement
        log = config is not None and config.log_device_placement
        self._devices = session_devices(config, TASK)
        devices = listed(config, self._devices)
        pruned = config is not None and config.graph_options.place_pruned_graph
        half = config is not None and is_mixed(config) and bool(self._devices)
        self._placement = Placement(devices, soft, log, pruned, half)
        self._inlined_graph = InlinedGraph(graph, self._placement, self._devices)
        self._functions = FunctionPlans(self._placement.devices[:1])
        self._resources.functions = weakref.proxy(self._functions)
        close_with(self, self._resources)
        open_sessions.add(self)

    @property
    def graph_def(self) -> proto.GraphDef:
        """The graph as a GraphDef proto, with output shapes if the config sets `infer_shapes`."""
        shapes = self._config is not None and self._config.graph_options.infer_shapes
        return self._graph.as_graph_def(add_shapes=shapes)

    def _repr_html_(self) -> str:
        state = "closed" if self._closed else "open"
        where = f"at {self._target.decode()}" if self._target else "in this process"
        rows = [("session", f"{state}, {where}")]
        rows.append(("graph", f"{len(self._graph._ops)} operations"))
        if self._remote is None:
            rows += [("device", device.name) for device in self._placement.devices]
        return object_table.table(rows)

    def list_devices(self) -> list[DeviceAttributes]:
        """Lists the session's devices, each with name, device_type, memory_limit_bytes and incarnation.

        Raises:
          tf.errors.CancelledError: if the session is closed.
        """
        self._check_not_closed()
        if self._remote is not None:
            return self._remote.list_devices()
        return list(self._placement.devices)

    def close(self) -> None:
        """Closes the session and releases its variables."""
        is_first, self._closed = not self._closed, True
        try:
            self._graph._session_versions.pop(self, None)
        except TypeError:  # the interpreter is exiting: weakref's globals have been deleted
            return
        self._steps.forget()
        self._partial_programs.forget()
        self._resources.close()
        if self._remote is not None and is_first:
            self._remote.close()

    def as_default(self) -> AbstractContextManager[BaseSession]:
        """Context manager that makes this the default session for `Tensor.eval()` and `Operation.run()`."""
        pushed: AbstractContextManager[Any] = default_stack.sessions.as_default(self)
        return pushed

    @overload
    def run(
        self,
        fetches: Operation,
        feed_dict: FeedDict | None = None,
        options: proto.RunOptions | None = None,
        run_metadata: proto.RunMetadata | None = None,
    ) -> None: ...

    @overload
    def run(
        self,
        fetches: Fetch[_Value],
        feed_dict: FeedDict | None = None,
        options: proto.RunOptions | None = None,
        run_metadata: proto.RunMetadata | None = None,
    ) -> _Value: ...

    @overload
    def run(
        self,
        fetches: NamedFields,
        feed_dict: FeedDict | None = None,
        options: proto.RunOptions | None = None,
        run_metadata: proto.RunMetadata | None = None,
    ) -> Any: ...

    @overload
    def run(
        self,
        fetches: tuple[Fetch[_Value], ...],
        feed_dict: FeedDict | None = None,
        options: proto.RunOptions | None = None,
        run_metadata: proto.RunMetadata | None = None,
    ) -> tuple[_Value, ...]: ...

    @overload
    def run(
        self,
        fetches: tuple[object, ...],
        feed_dict: FeedDict | None = None,
        options: proto.RunOptions | None = None,
        run_metadata: proto.RunMetadata | None = None,
    ) -> tuple[Any, ...]: ...

    @overload
    def run(
        self,
        fetches: list[Fetch[_Value]],
        feed_dict: FeedDict | None = None,
        options: proto.RunOptions | None = None,
        run_metadata: proto.RunMetadata | None = None,
    ) -> list[_Value]: ...

    @overload
    def run(
        self,
        fetches: list[Any],
        feed_dict: FeedDict | None = None,
        options: proto.RunOptions | None = None,
        run_metadata: proto.RunMetadata | None = None,
    ) -> list[Any]: ...

    @overload
    def run(
        self,
        fetches: dict[_Key, Fetch[_Value]],
        feed_dict: FeedDict | None = None,
        options: proto.RunOptions | None = None,
        run_metadata: proto.RunMetadata | None = None,
    ) -> dict[_Key, _Value]: ...

    @overload
    def run(
        self,
        fetches: object,
        feed_dict: FeedDict | None = None,
        options: proto.RunOptions | None = None,
        run_metadata: proto.RunMetadata | None = None,
    ) -> Any: ...

    def run(
        self,
        fetches: object,
        feed_dict: FeedDict | None = None,
        options: proto.RunOptions | None = None,
        run_metadata: proto.RunMetadata | None = None,
    ) -> Any:
        """Runs one step: every operation that `fetches` depends on.

        Args:
          fetches: a tensor, operation, variable or name, or a nested list, tuple or dict of these.
          feed_dict: values that replace tensors, keyed by tensor or name.
          options: a RunOptions proto. `timeout_in_ms`: 0 for the session config's timeout; `trace_level` and
            `output_partition_graphs` select the contents of `run_metadata`; `report_tensor_allocations_upon_oom`
            adds current allocations to the message of a ResourceExhaustedError.
          run_metadata: a RunMetadata proto to fill: `step_stats`, the execution time and outputs of each node, unless
            the trace level is NO_TRACE; partition graphs; `cost_graph`, if the session config sets `build_cost_model`.

        Returns:
          The values in the structure of `fetches`: numpy arrays, numpy scalars for scalars, None for operations.

        Raises:
          RuntimeError: if the session is closed or the graph is empty.
          TypeError, ValueError: for an invalid fetch or feed.
          tf.errors.DeadlineExceededError: if the step exceeds its timeout; it still runs to completion.
          tf.errors.CancelledError: if the session is closed during the step and the step cannot continue.
          tf.errors.OpError: the error of a failing operation, naming its node.
        """
        if options is not None or run_metadata is not None:
            return self._run_with_metadata(fetches, feed_dict, options, run_metadata)
        plan, resolved, values, pairs = self._prepare_step(fetches, feed_dict)
        if plan.by_shapes is not None:
            plan = plan_for_shapes(self, plan, resolved, pairs)
        results = self._run_plan(plan, values)
        if pairs:
            for i in resolved.fetched_feeds:  # returned as the fed value, an array
                results[i] = fed_value(resolved.tensors[i], results[i], pairs, feed_dict)
        return resolved.build(results)

    def _run_plan(self, plan: Plan | WaitingPlan, values: list[object]) -> list[object]:
        """Runs a plan and returns the fetched values."""
        try:
            if self._time_limit:
                return to_fetched_value(execute(plan, values, self._time_limit))
            return to_fetched_value(plan.run(values))
        except OpError as error:
            self._step_failed(error)
            raise

    def _prepare_step(
        self,
        fetches: object,
        feed_dict: FeedDict | None,
        is_timed: Callable[[Hashable], bool] | None = None,
    ) -> tuple[Plan | WaitingPlan, Fetches, list[Any], Sequence[tuple[Tensor, Any]]]:
        """Returns the step's plan, resolved fetches, fed values, and (tensor, value) pairs.

        `is_timed` maps the step's key to whether the plan records times.
        """
        self._check_open()
        graph = self._graph
        pairs = feed_pairs(graph, feed_dict, self._resources) if feed_dict else ()
        values, feed_devices = split(pairs, self._devices) if pairs else ([], ())
        fed = tuple([tensor for tensor, _ in pairs]) if pairs else ()
        key: Any = (fetch_key(fetches), fed, feed_devices)
        timed = is_timed is not None and is_timed(key)
        if timed:
            key = (*key, "timed")
        try:
            step = self._steps.get(key)
        except TypeError:  # an unhashable fetch
            step, key = None, None
        if step is None:
            step = find_step(self, key, fetches, [t for t, _ in pairs], feed_devices, timed)
        elif graph.version != self._version:
            with self._lock:
                self._place_new_nodes()  # fails if a node cannot be placed
        return *step, values, pairs

    def _run_with_metadata(
        self,
        fetches: object,
        feed_dict: FeedDict | None,
        options: proto.RunOptions | None = None,
        run_metadata: proto.RunMetadata | None = None,
        spans: list[Span] | None = None,
    ) -> Any:
        """Implements `run` with options, metadata or `spans`; uses a timed plan if any of them requires times."""
        self._check_open()
        options, run_metadata = options or None, run_metadata or None
        check_options(options, run_metadata)
        check_pool(options, self._config)
        needs_times, costs = requests_times(options, run_metadata), False

        def is_timed(key: Hashable) -> bool:
            nonlocal costs
            costs = run_metadata is not None and has_costs(self._config, self._counts, key)
            return needs_times or costs or spans is not None

        plan, resolved, values, pairs = self._prepare_step(fetches, feed_dict, is_timed)
        recorded_spans: list[Span] = [] if spans is None else spans
        limit = self._time_limit if options is None else options.timeout_in_ms
        try:
            limit = max(0, limit) or self._time_limit
            if self._remote is not None:
                remote: Any = plan
                results = to_fetched_value(remote.run(values, options, run_metadata))
            else:
                results = to_fetched_value(execute(plan, values, limit, options, recorded_spans))
        except OpError as error:
            self._step_failed(error)
            raise
        if run_metadata is not None and self._remote is None:
            fill_metadata(
                options, run_metadata, plan, recorded_spans if needs_times or costs else None, costs
            )
        for i in resolved.fetched_feeds:
            results[i] = fed_value(resolved.tensors[i], results[i], pairs, feed_dict)
        return resolved.build(results)

    def make_callable(
        self,
        fetches: object,
        feed_list: Sequence[object] | None = None,
        accept_options: bool = False,
    ) -> Callable[..., Any]:
        """Returns a function that runs one step: `f(*values)` is `run(fetches, dict(zip(feed_list, values)))`.

        Args:
          fetches: as for `run`.
          feed_list: a list of the tensors to feed, in the order of the function's arguments.
          accept_options: whether the function accepts `options=` and `run_metadata=`; with `feed_list` it always does.

        Raises:
          TypeError: if `feed_list` is not a list or tuple, or for invalid fetches.
          CancelledError: without `feed_list`, if the session is closed and the graph has new nodes.
          InvalidArgumentError: without `feed_list`, if a node cannot be placed on any device.
        """
        return callables.step_callable(self, fetches, feed_list, accept_options)

    def _make_callable_from_options(
        self, callable_options: proto.CallableOptions
    ) -> OptionsCallable:
        """Returns a function of the feeds listed in a `CallableOptions` proto; feeds and fetches may reside on devices.

        `feed_devices` and `fetch_devices` map a tensor name to the device of its value. A value on a device is an
        array of that device's module, ordered on the caller's current stream.
        """
        self._check_open()
        return callables.OptionsCallable(self, callable_options)

    def partial_run_setup(self, fetches: object, feeds: Iterable[object] | None = None) -> str:
        """Sets up a step that runs in parts; returns the handle for `partial_run`.

        Args:
          fetches: all fetches of the step, as for `run`.
          feeds: a list of all feeds of the step.

        Raises:
          RuntimeError: if the session is closed.
          TypeError, ValueError: for invalid fetches or feeds.
        """
        self._check_open()
        return partial_runs.set_up(self, fetches, feeds)

    def partial_run(self, handle: str, fetches: object, feed_dict: FeedDict | None = None) -> Any:
        """Continues a step set up by `partial_run_setup`; each tensor can be fed or fetched once.

        Raises:
          InvalidArgumentError: for an unknown handle, or a tensor that was not set up, is repeated, or is not yet
            computable.
        """
        self._check_open()
        return partial_runs.step(self, handle, fetches, feed_dict)

    def _step_failed(self, error: OpError) -> None:
        """Adds hints to a step's error, closes the session after device loss, raises CancelledError if closed."""
        hint_at_cause(error, self._graph._nodes_by_name)
        if isinstance(error, UnavailableError) and any(
            device.lost for device in self._devices.values()
        ):
            self.close()  # which also loses its variables
        elif self._closed and not isinstance(error, CancelledError):
            # Closed by another thread, which released the variables.
            raise CancelledError(None, None, "Run call was cancelled") from error

    def _check_not_closed(self) -> None:
        """Raises CancelledError if closed, as TensorFlow's runtime does where its Python code has no check."""
        if self._closed:
            raise CancelledError(None, None, "Session has been closed.")

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if not self._graph._ops:
            raise RuntimeError(
                "The Session graph is empty.  Add operations to the graph before calling run()."
            )
        if self._cancelled:
            raise CancelledError(None, None, "Session has been closed.")

    def _place_new_nodes(self) -> None:
        """Inlines and places the nodes added to the graph since the last call."""
        version = self._graph.version
        if self._graph._invalid:
            invalid(self._graph._invalid)
        if self._remote is not None:
            self._remote.update()
            self._graph._session_versions[self] = self._version = version
            return
        self._placement.update(self._inlined_graph.update())
        self._graph._session_versions[self] = self._version = version
