"""Callables that run one step, built from fetches and a feed list or from a `CallableOptions` message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import proto
from tfmini._src.base.errors import OpError, UnimplementedError, invalid
from tfmini._src.compiler.passes.insert_copies import Memories
from tfmini._src.devices.device import HOST
from tfmini._src.devices.registry import memory_space
from tfmini._src.executor.straight_plans import is_straight
from tfmini._src.executor.tracing.recorder import Recorder, Span
from tfmini._src.graph.device_spec import DeviceSpec
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.compile_step import compile_step
from tfmini._src.session.device_feeds import split
from tfmini._src.session.feeds import feed_pairs, raise_shape_error
from tfmini._src.session.fetches import Fetches
from tfmini._src.session.plan_cache import fetch_key
from tfmini._src.session.run_options import check_options, execute, fill_metadata
from tfmini._src.session.step_copy import StepCopy
from tfmini._src.session.tensor_connections import connected_tensors
from tfmini._src.session.tensor_handles import unwrap_handle

if TYPE_CHECKING:
    from tfmini._src.session.base_session import BaseSession


def step_callable(
    session: BaseSession,
    fetches: object,
    feed_list: Sequence[object] | None,
    accept_options: bool,
) -> Callable[..., Any]:
    """Returns the callable of `Session.make_callable`."""
    if feed_list is not None:
        if not isinstance(feed_list, list | tuple):
            raise TypeError("`feed_list` must be a list or tuple.")

        def step(*values: object, **options: Any) -> Any:
            return unwrap_handle(session.run(fetches, dict(zip(feed_list, values)), **options))

        return step
    if session._graph.version != session._version:
        session._check_not_closed()
        with session._lock:
            session._place_new_nodes()
    resolved = Fetches(session.graph, fetches)
    if not resolved.tensors and not resolved.targets:
        return _nothing_to_run

    def step_with_options(
        options: proto.RunOptions | None = None, run_metadata: proto.RunMetadata | None = None
    ) -> Any:
        session._check_not_closed()
        return unwrap_handle(session.run(fetches, None, options, run_metadata))

    key = fetch_key(fetches), (), ()  # cache key of the session's plan

    def plain_step() -> Any:
        session._check_not_closed()
        try:
            is_current = session._graph.version == session._version and not session._cancelled
            step = session._steps.get(key) if is_current else None
        except TypeError:  # an unhashable fetch
            step = None
        if step is None:
            return unwrap_handle(session.run(fetches))
        plan, resolved = step
        return unwrap_handle(resolved.build(session._run_plan(plan, [])))

    return step_with_options if accept_options else plain_step


def _nothing_to_run() -> None:
    invalid("Must specify at least one target to fetch or execute.")


class OptionsCallable:
    """A callable for one step: `f(*feeds)` returns the list of fetched values.

    Args:
      session: a session.
      options: a `CallableOptions` proto: `feed`, `fetch`, `target`, `feed_devices`, `fetch_devices`, `run_options` as
        for `Session.run`; each `tensor_connection` replaces one tensor with another in all its consumers.
        `fetch_skip_sync` has no effect: device fetches are ordered on the caller's stream and never block the host.

    Raises:
      InvalidArgumentError: for a device that is not in the session; for a device entry whose tensor is not a feed or
        fetch; for a tensor that is both fed and fetched; for a connection that creates a cycle, joins different
        dtypes, or whose target is fed or fetched.
      UnimplementedError: for `tensor_connection` in a session on a server.
      KeyError, ValueError: for names that are not in the graph.

    As in TensorFlow, the shape of a feed may differ from the graph's, unless the step is remote.
    """

    def __init__(self, session: BaseSession, options: proto.CallableOptions):
        if options.tensor_connection and session._remote is not None:
            raise UnimplementedError(
                None,
                None,
                "tensor_connection is not supported by remote sessions; use tf.import_graph_def(input_map=...)",
            )
        graph = session.graph
        self._session = session
        self._run_options = options.run_options if options.HasField("run_options") else None
        self._feeds = [graph.as_graph_element(name, True, False) for name in options.feed]
        tensors = [graph.as_graph_element(name, True, False) for name in options.fetch]
        fetches = list(dict.fromkeys(tensors))
        self._positions = [fetches.index(tensor) for tensor in tensors]
        targets = [graph.as_graph_element(name, False, True) for name in options.target]
        for tensor in self._feeds:
            if tensor in fetches:
                invalid(f"{tensor.name} is both fed and fetched.")
        self._requested = fetches, targets
        self._connections = connected_tensors(graph, options, self._feeds, fetches)
        self._copy: StepCopy | None = None
        self._feed_devices = self._tensor_memories(options.feed, options.feed_devices, "feed")
        self._fetch_devices = self._tensor_memories(
            [tensor.name for tensor in fetches], options.fetch_devices, "fetch"
        )
        memories = Memories(self._feed_devices, self._fetch_devices)
        run_options = self._run_options
        untraced_options = proto.RunOptions.NO_TRACE
        self._is_timed = run_options is not None and run_options.trace_level != untraced_options
        self._limit = 0 if run_options is None else max(0, run_options.timeout_in_ms)
        self._memories_of_step = memories
        if self._connections:
            self._plan = self._step_of_any_shape().plan
        else:
            self._plan, _ = compile_step(
                session, [*fetches, *targets], self._feeds, memories, self._recorder()
            )

    @property
    def is_straight(self) -> bool:
        """Whether the callable's steps are sequences of host kernels on this machine that never block."""
        return self._session._remote is None and is_straight(self._plan.program)

    def _tensor_memories(
        self, names: Iterable[str], devices: Mapping[str, str], role: str
    ) -> tuple[str, ...]:
        """Returns the device of each named tensor's value, "" for the host."""
        names = list(names)
        for name in devices:
            if name not in names:
                invalid(
                    f"{role}_devices names {name}, which is not a {role} of the callable",
                )
        return tuple(self._device_memory(devices[n]) if n in devices else HOST for n in names)

    def _device_memory(self, text: str) -> str:
        requested = DeviceSpec.from_string(text)
        for device in self._session.list_devices():
            spec = DeviceSpec.from_string(device.name)
            pairs = [
                (requested.job, spec.job),
                (requested.replica, spec.replica),
                (requested.task, spec.task),
                (requested.device_type, spec.device_type),
                (requested.device_index, spec.device_index),
            ]
            if all(a in (None, b) for a, b in pairs):
                return memory_space(device.name)
        names = ", ".join(device.name for device in self._session.list_devices())
        invalid(f"{text} is not a device of this session; its devices are [ {names} ]")

    def __call__(self, *values: object, run_metadata: proto.RunMetadata | None = None) -> list[Any]:
        self._session._check_not_closed()
        if len(values) != len(self._feeds):
            invalid(f"Expected {len(self._feeds)} feed tensors, but got {len(values)}")
        self._session._check_open()
        session = self._session
        plan = self._plan
        rejected_values: list[tuple[Tensor, Any]] = []
        pairs = feed_pairs(
            session.graph,
            dict(zip(self._feeds, values)),
            session._resources,
            lambda tensor, array: rejected_values.append((tensor, array)),
        )
        if rejected_values or self._connections:
            if rejected_values and session._remote is not None:
                raise_shape_error(*rejected_values[0])
            step = self._step_of_any_shape()
            plan = step.plan
            pairs = [(tensor, array) for tensor, (_, array) in zip(step.feeds, pairs)]
        fed_values, feed_devices = split(pairs, self._session._devices)
        if (feed_devices or (HOST,) * len(fed_values)) != self._feed_devices:
            invalid(
                f"The feeds are on [ {_memories_text(feed_devices or (HOST,) * len(fed_values))} ], but "
                f"feed_devices specifies [ {_memories_text(self._feed_devices)} ]",
            )
        check_options(None, run_metadata)
        spans: list[Span] | None = None if plan.recorder is None else []
        try:
            results = execute(plan, fed_values, self._limit, self._run_options, spans)
        except OpError as error:
            self._session._step_failed(error)
            raise
        if run_metadata is not None:
            fill_metadata(self._run_options, run_metadata, plan, spans)
        return [results[position] for position in self._positions]

    def _recorder(self) -> Recorder | None:
        return Recorder() if self._is_timed else None

    def _step_of_any_shape(self) -> StepCopy:
        """Returns the step over a copy of the graph, for connections and for feeds of other shapes than the graph's."""
        if self._copy is None:
            with self._session._lock:
                self._session._place_new_nodes()
                self._copy = StepCopy(
                    self._session,
                    self._feeds,
                    *self._requested,
                    self._memories_of_step,
                    self._connections,
                    self._recorder(),
                )
        return self._copy


def _memories_text(memories: tuple[str, ...]) -> str:
    return ", ".join(memory or "the host" for memory in memories)
