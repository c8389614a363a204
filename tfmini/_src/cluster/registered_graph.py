"""A partition registered with a worker: its graph, compiled to a plan at its first run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from threading import get_ident
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.dtypes import as_dtype
from tfmini._src.base.errors import (
    CancelledError,
    FailedPreconditionError,
    InternalError,
    InvalidArgumentError,
    invalid,
)
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.expand_rewrites import expand_rewrites
from tfmini._src.cluster.partition import LEVEL, device_task
from tfmini._src.cluster.send_recv import rendezvous_key
from tfmini._src.cluster.session_graph import extend
from tfmini._src.cluster.wire import bare
from tfmini._src.compiler.interrupts import LOOP_HOOKS, StepAbandoned, end_loops
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.compiler.program.graph_order import LOOPS_BACK
from tfmini._src.compiler.program.program import RECEIVE_OPS, SEND_OPS
from tfmini._src.devices.device import Devices
from tfmini._src.executor.asynchronous_run import AsynchronousRun, Callback, Submit
from tfmini._src.executor.compile_plan import compile_plan
from tfmini._src.executor.inline.inline import InlinedGraph
from tfmini._src.executor.state.cancellation import running
from tfmini._src.executor.tracing.recorder import Recorder, Span, clock
from tfmini._src.executor.waiting_plan import WaitingPlan
from tfmini._src.graph.graph import Graph
from tfmini._src.ops.pending_ops import Step

StepContext = Callable[[Step], AbstractContextManager[Any]]

# The fetch of a variable is not a graph node; on a server, a send fetches it.
_RETVAL = re.compile(r"\{\{node _retval_(\S+_\d+)_\d+\}\}")
# Ops that may run despite a dead input.
_RUN_DESPITE_DEAD_INPUT = ("Merge", "RefMerge", "ControlTrigger")
_DEPTH_CHANGES = {"Enter": 1, "RefEnter": 1, "Exit": -1, "RefExit": -1}
_RECEIVES = ("_Recv", "_HostRecv")
_EXCHANGES = SEND_OPS | RECEIVE_OPS


class RegisteredGraph:
    """One partition with assigned devices; `attached_devices` are the devices with their own memory, by name."""

    def __init__(
        self, graph_def: Any, state: Any, devices: Sequence[Any], attached_devices: Devices
    ):
        self._state = state
        self._attached = attached_devices
        self._lock = make_lock(blocks_fork=True)
        self._plans: dict[Any, Any] = {}
        self._generation = state.generation
        self.graph = Graph()
        for node in graph_def.node:  # nodes are placed; colocated ones may be on other tasks
            node.attr.pop("_class", None)
        graph_def, stands_for = expand_rewrites(graph_def)
        extend(self.graph, _merge_receives(_add_deadness(graph_def)))
        for name, displayed_name in stands_for.items():
            self.graph.get_operation_by_name(name)._shown_name = displayed_name
        self._placement = Placement(devices, soft=True)
        self._inlined_graph = InlinedGraph(self.graph, self._placement, attached_devices)
        self._placement.update(self._inlined_graph.update())
        self.feeds: dict[str, Any] = {}
        self.fetches: dict[str, Any] = {}
        self.sends: list[Any] = []
        self.exchanges = False
        clients: set[Any] = set()
        for op in self.graph._ops:
            if op.type in (*_RECEIVES, *SEND_OPS) and op.attrs["client_terminated"]:
                clients.add(op)
                if op.type in _RECEIVES:
                    self.feeds[rendezvous_key(op.attrs)] = op.outputs[0]
                else:
                    self.fetches[rendezvous_key(op.attrs)] = op.inputs[0]
            elif op.type in SEND_OPS:
                self.sends.append(op)
            self.exchanges |= op not in clients and op.type in _EXCHANGES
        sources = {t.op for op in self.graph._ops if op not in clients for t in op.inputs}
        sources |= {c for op in self.graph._ops for c in op._control_inputs}
        # A circulating loop value has no consumer, but triggers the sends of each iteration.
        sources -= {op for op in sources if op.type in LOOPS_BACK}
        self.targets = [op for op in self.graph._ops if op not in clients and op not in sources]
        self._clients = [op for op in self.graph._ops if op in clients and op.type in SEND_OPS]

    def run(
        self,
        step: Step,
        feeds: Mapping[str, Any],
        keys: Sequence[str],
        soon: Submit,
        on_done: Callback,
        spans: list[Span] | None = None,
    ) -> None:
        """Runs one step; calls `on_done(arrays of keys, error)` when it has ended.

        Completed waits resume it through `soon`.

        feeds: arrays by key.
        spans: if not None, receives the run's spans.
        """
        try:
            plan = self.plan(tuple(keys), spans is not None)
            feed_values = self._fed_arrays(feeds)
            step_context: StepContext = _loops_end_with
            if spans is not None:
                spans += _constants(plan)
                step_context = partial(_recording_spans, plan.recorder, spans)
            results = None
            if not isinstance(plan, WaitingPlan):
                results = self._run(plan, step, feed_values, self.sends, step_context)
        except BaseException as error:  # reported to the results' waiter
            on_done(None, _name_fetched_variable(error))
            return
        if results is not None:
            on_done(results, None)
        else:
            end = lambda results, error: on_done(results, error and _name_fetched_variable(error))  # noqa: E731
            AsynchronousRun(plan, step, feed_values, soon, end, step_context).start()

    def _fed_arrays(self, feeds: Mapping[str, Any]) -> list[Any]:
        """Returns the fed arrays, in order."""
        try:
            values = [feeds[key] for key in self.feeds]
        except KeyError as error:
            raise InvalidArgumentError(
                None, None, f"Missing value for the feed {error.args[0]}"
            ) from None
        for key, value in feeds.items():
            self.check_feed(key, value)
        return list(map(bare, values))

    def check_feed(self, key: str, value: Any) -> None:
        """Checks an array's dtype against the fed tensor's; raises InternalError if they differ."""
        tensor = self.feeds.get(key)
        if tensor is None or not isinstance(value, np.ndarray):
            return
        expected = tensor.dtype.base_dtype
        if value.dtype != expected.numpy:
            dtype = as_dtype(value.dtype)
            text = f"Output 0 of type {dtype.proto_name} does not match declared output type {expected.proto_name}"
            raise InternalError(None, None, f"{text} for node {{{{node {tensor.op.name}}}}}")

    def _run(
        self,
        plan: Any,
        step: Step,
        values: list[Any],
        sends: list[Any],
        step_context: StepContext,
    ) -> list[Any]:
        """Runs the plan; `sends` are its sending operations."""
        with running(step, self._state), step_context(step):
            if isinstance(plan, WaitingPlan):
                return list(plan.run(values, step=step))
            results = plan.run(values)
        if sends:
            step.rendezvous.send_dead(sends)
        return list(results)

    def run_in_parts(self, step: Step) -> None:
        """Runs one step whose inputs and outputs pass through the step's rendezvous."""
        plan = self.plan(None, False)
        self._run(plan, step, [], [*self.sends, *self._clients], _loops_end_with)

    def plan(self, keys: tuple[str, ...] | None, timed: bool) -> Any:
        """Returns the compiled plan, recompiled after the task's resources have been cleared.

        keys: the fetches; None for partial runs.
        """
        with self._lock:
            if self._generation != self._state.generation:
                self._generation = self._state.generation
                self._plans.clear()
            plan = self._plans.get((keys, timed))
            if plan is None:
                in_parts, keys = keys is None, keys or ()
                feeds = () if in_parts else self.feeds.values()
                targets = [*self.targets, *(self._clients if in_parts else ())]
                unknown = [key for key in keys if key not in self.fetches]
                if unknown:
                    invalid(f"{unknown[0]} is not fetched by this graph")
                inlined = self._inlined_graph
                plan = self._plans[None if in_parts else keys, timed] = compile_plan(
                    [inlined.tensor(self.fetches[key]) for key in keys],
                    [inlined.tensor(tensor) for tensor in feeds],
                    [inlined.operation(op) for op in targets],
                    self._state,
                    self._placement,
                    self._attached,
                    recorder=Recorder() if timed else None,
                )
            return plan


class _loops_end_with:
    """Context manager on a step's thread: cancelling the step ends its loops, whose errors become CancelledError."""

    __slots__ = ("_step",)

    def __init__(self, step: Step):
        self._step = step

    def __enter__(self) -> None:
        thread = get_ident()
        self._step.begin_in(thread, partial(end_loops, thread))

    def __exit__(self, exc_type: object, error: BaseException | None, traceback: object) -> None:
        thread = get_ident()
        self._step.end_in(thread)
        LOOP_HOOKS.pop(thread, None)
        if isinstance(error, StepAbandoned):
            raise CancelledError(None, None, "Step was cancelled") from None


@contextmanager
def _recording_spans(recorder: Recorder, spans: list[Span], step: Step) -> Iterator[None]:
    """Same as `_loops_end_with`, and records the nodes in `spans`."""
    with recorder.collect_into(spans), _loops_end_with(step):
        yield


def _name_fetched_variable(error: BaseException) -> BaseException:
    """Renames a send in an error to the fetched variable."""
    if not isinstance(error, FailedPreconditionError):
        return error
    message = _RETVAL.sub(r"{{node _send_\1}}", error.message)
    return FailedPreconditionError(error.node_def, error.op, message)


def _constants(plan: Any) -> list[Span]:
    """Returns the spans of a plan's constants, which TensorFlow's tasks count as executed nodes."""
    now, thread = clock(), get_ident()
    return [Span(n, now, now, thread, ()) for n in plan.program.nodes if n.kind == "const"]


def _merge_receives(graph_def: Any) -> Any:
    """Returns the GraphDef with the receives from one task at one level merged into one node."""
    groups: dict[tuple[str, int], list[Any]] = {}
    for node in graph_def.node:
        if node.op == "_Recv" and LEVEL in node.attr and not node.attr["client_terminated"].b:
            sender = device_task(node.attr["send_device"].s.decode())
            groups.setdefault((sender, node.attr[LEVEL].i), []).append(node)
    groups = {key: nodes for key, nodes in groups.items() if len(nodes) > 1}
    if not groups:
        return graph_def
    result = proto.GraphDef()
    result.versions.CopyFrom(graph_def.versions)
    result.library.CopyFrom(graph_def.library)
    joined = set()
    for nodes in groups.values():
        name = f"{nodes[0].name}/_together"
        merged_node = result.node.add(name=name, op="_RecvMany", device=nodes[0].device)
        for index, node in enumerate(nodes):
            joined.add(node.name)
            values = {key: node.attr[key] for key in node.attr}
            dtype = values["tensor_type"].type
            merged_node.attr["types"].list.type.append(dtype)
            merged_node.attr["keys"].list.s.append(node_key(values).encode())
            identity = result.node.add(name=node.name, op="Identity", device=node.device)
            identity.input.append(f"{name}:{index}")
            identity.attr["T"].type = dtype
    result.node.extend(node for node in graph_def.node if node.name not in joined)
    return result


def node_key(values: Mapping[str, Any]) -> str:
    """Returns the rendezvous key of a _Send or _Recv, from its NodeDef attrs."""
    texts = {k: values[k].s.decode() for k in ("send_device", "recv_device", "tensor_name")}
    return rendezvous_key({**texts, "send_device_incarnation": values["send_device_incarnation"].i})


def _add_deadness(graph_def: Any) -> Any:
    """Returns the GraphDef with receives that report deadness if an unconditional node may depend on their tensor."""
    if not any(node.op in _RUN_DESPITE_DEAD_INPUT for node in graph_def.node):
        return graph_def
    readers: dict[str, list[Any]] = {}
    for node in graph_def.node:
        for text in node.input:
            readers.setdefault(text.lstrip("^").split(":")[0], []).append(node)
    reaching = _find_reaching(graph_def, readers)
    result = proto.GraphDef()
    result.versions.CopyFrom(graph_def.versions)
    result.library.CopyFrom(graph_def.library)
    for node in graph_def.node:
        if (
            node.op not in _RECEIVES
            or node.name not in reaching
            or node.attr["client_terminated"].b
        ):
            result.node.add().CopyFrom(node)
            continue
        received = result.node.add()
        received.CopyFrom(node)
        received.op, received.name = "_RecvOrDead", f"{node.name}/_received"
        dtype = node.attr["tensor_type"].type
        switch = result.node.add(name=f"{node.name}/_switch", op="Switch", device=node.device)
        switch.input.extend([received.name, f"{received.name}:1"])
        switch.attr["T"].type = dtype
        identity = result.node.add(name=node.name, op="Identity", device=node.device)
        identity.input.append(f"{switch.name}:1")
        identity.attr["T"].type = dtype
    return result


def _find_reaching(graph_def: Any, readers: Mapping[str, list[Any]]) -> set[str]:
    """Returns the receives that reach an unconditional node within the same loop iteration."""
    reaching = set()
    for node in graph_def.node:
        if node.op not in _RECEIVES:
            continue
        seen, pending = {node.name}, [(node.name, 0)]
        while pending:
            name, depth = pending.pop()  # at this nesting depth below that loop
            for reader in readers.get(name, ()):
                inner_depth = depth + _DEPTH_CHANGES.get(reader.op, 0)
                if reader.op in _RUN_DESPITE_DEAD_INPUT and inner_depth <= 0:
                    reaching.add(node.name)
                    pending.clear()
                    break
                if reader.name not in seen and (inner_depth > 0 or reader.op not in LOOPS_BACK):
                    seen.add(reader.name)
                    pending.append((reader.name, inner_depth))
    return reaching
