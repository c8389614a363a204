"""The subgraph needed by a step, split at task boundaries into one GraphDef per task.

A tensor consumed on another task is replaced by a _Send and a _Recv, once per consuming task; control edges between
tasks carry an empty tensor. A feed becomes a _Recv on each consuming task, a fetch a _Send, both marked as client
tensors: they travel with the request that runs the step.

Each task with a part of a loop runs all iterations: a counting value circulates there, after a Switch on the loop's
predicate, which the LoopCond's task sends in each iteration. Receives in the loop depend on that value, which puts them
in its frame. (Same as graph_partition.cc of TensorFlow 1.15.)

A consumer of a variable's reference reads it after its control inputs, so the variable's task reads it then, for that
consumer alone. (graph_partition.cc makes the receive wait instead, and the buffer is read when it is requested.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tfmini._src.base import proto
from tfmini._src.base.dtypes import float32, resource, variant
from tfmini._src.base.errors import invalid
from tfmini._src.cluster.expand_rewrites import expand_rewrites
from tfmini._src.cluster.send_recv import rendezvous_key
from tfmini._src.compiler.program.graph_order import (
    LOOPS_BACK,
    in_order,
    input_operations,
    reachable,
)
from tfmini._src.graph import nodedef

# Attr that stores the level of a _Recv node; only tfmini workers read it.
LEVEL = "_tfmini_level"
_MAX_COPIED_ELEMENTS = 256

_ENTERS = ("Enter", "RefEnter")
_EXITS = ("Exit", "RefExit")

# The names of a frame and its outer frames, outermost first.
Frame: TypeAlias = tuple[str, ...]


@dataclass(eq=False)
class Partition:
    """One task's partition of a step.

    feeds, fetches: rendezvous keys of the client's tensors, by name.
    exchanges: whether it sends to or receives from other tasks.
    """

    task: str
    graph_def: Any
    feeds: dict[str, str] = field(default_factory=dict)
    fetches: dict[str, str] = field(default_factory=dict)
    exchanges: bool = False
    has_control_flow: bool = False


def device_task(device: str) -> str:
    """Returns the task of a fully specified device: "/job:worker/replica:0/task:1"."""
    return device[: device.rindex("/device:")]


def partition(
    graph: Any,
    device_of: Any,
    fetches: Sequence[Any],
    feeds: Sequence[Any],
    targets: Sequence[Any],
    incarnations: Mapping[str, int],
) -> list[Partition]:
    """Returns the partitions of a step that feeds and fetches tensors and runs the operations `targets`.

    device_of: returns the full name of an operation's device.
    incarnations: each device's incarnation, by full name.
    """
    return _Partitioning(graph, device_of, fetches, feeds, targets, incarnations).partitions()


@dataclass(frozen=True)
class _OrderedRead:
    """A variable's value for one consumer on another task, after that consumer's control inputs."""

    reference: Any
    reader: Any

    @property
    def dtype(self) -> Any:
        return self.reference.dtype


class _Partitioning:
    def __init__(
        self,
        graph: Any,
        device_of: Any,
        fetches: Sequence[Any],
        feeds: Sequence[Any],
        targets: Sequence[Any],
        incarnations: Mapping[str, int],
    ):
        self.graph = graph
        self.fetches = fetches
        self.feeds = feeds
        self.fed = set(feeds)
        self.ops = in_order(reachable(fetches, feeds, targets), self.fed)
        self.device_of = _devices(self.ops, device_of)
        self.incarnations = incarnations
        self.parts: dict[str, Partition] = {}
        self.received: dict[tuple[str, Any], str] = {}  # by task and tensor or operation
        self.copied: set[tuple[str, Any]] = set()
        self.frames = _frame_by_operation(self.ops, self.fed)
        self.counts: dict[tuple[str, Frame], str] = {}  # by task and frame: the circulating value
        self.names = {op.name for op in self.ops}
        self.count = 0

    def partitions(self) -> list[Partition]:
        if not self.ops:
            return []
        expected = self._expected_keys()
        for op in self.ops:
            device = self.device_of[op]
            part = self._partition_for_task(device_task(device))
            part.has_control_flow |= op.type in ("Switch", "RefSwitch", "Enter", "RefEnter")
            node = part.graph_def.node.add()
            nodedef._fill_node_def(node, op, [])
            del node.input[:]
            node.device = device
            if "_class" in node.attr:  # already placed
                del node.attr["_class"]
            for tensor in op.inputs:
                node.input.append(self._input_name(part, tensor, op))
            for control in op._control_inputs:
                if control in self.index:
                    node.input.append("^" + self._control_name(part, control, op))
            for element in expected.get(op, ()):
                self._send_to(element, op, device)
        for tensor in dict.fromkeys(self.fetches):
            self._fetch(tensor)
        for part in self.parts.values():
            part.graph_def.versions.CopyFrom(self.graph.graph_def_versions)
            if any(op.opdef.takes_functions for op in self.ops):
                nodedef.write_library(self.graph, part.graph_def)
            part.graph_def, _ = expand_rewrites(part.graph_def)
        return list(self.parts.values())

    def _expected_keys(self) -> dict[Any, list[tuple[Any, str, str]]]:
        """Returns the remote consumers of each operation: tensor or operation, consuming task, name of the receive."""
        self.index = set(self.ops)
        tasks = {op: device_task(self.device_of[op]) for op in self.ops}
        expected: dict[Any, list[tuple[Any, str, str]]] = {}
        for op in self.ops:
            mine = tasks[op]
            sources: list[tuple[Any, Any]] = [
                (self._element(t, op), t.op) for t in op.inputs if t not in self.fed
            ]
            sources += [(c, c) for c in op._control_inputs if c in self.index]
            for element, source in sources:
                if tasks[source] == mine or (mine, element) in self.received:
                    continue
                if _is_small_constant(source):
                    self._copy(source, mine)
                    continue
                self._check(element, source, op)
                self._receive_from(element, source, mine, expected)
                if isinstance(element, _OrderedRead):
                    self._order(op, tasks, tasks[source], expected)
        self._add_counts(tasks, expected)
        # Receives come first on their task, so that they are requested immediately.
        levels = self._levels(tasks)
        for source, rows in expected.items():
            for element, task, name in rows:
                part = self._partition_for_task(task)
                part.exchanges = True
                node = part.graph_def.node.add(name=name, op="_Recv")
                dtype = float32 if element is source else element.dtype.base_dtype
                if element is source:  # the readers of a receive handle dead tensors
                    node.name = self._new_name(source.name)
                    identity = part.graph_def.node.add(name=name, op="Identity")
                    identity.input.append(node.name)
                    identity.attr["T"].type = dtype.as_datatype_enum
                    identity.device = self._host(task)
                node.attr["tensor_type"].type = dtype.as_datatype_enum
                self._address(node, name, self.device_of[source], self._host(task))
                node.device = self._host(task)
                if frame := self._output_frame(source):
                    node.input.append("^" + self.counts[task, frame])
                elif levels[source] is not None and not isinstance(element, _OrderedRead):
                    node.attr[LEVEL].i = levels[source]
        return expected

    def _element(self, tensor: Any, reader: Any) -> Any:
        """Returns the key under which `tensor` is sent to `reader`, a consumer on another task."""
        is_ordered = (
            tensor.dtype._is_ref_dtype
            and not self.frames[reader]
            and not self.index.isdisjoint(reader._control_inputs)
        )
        return _OrderedRead(tensor, reader) if is_ordered else tensor

    def _order(
        self,
        reader: Any,
        tasks: Mapping[Any, str],
        task: str,
        expected: dict[Any, list[tuple[Any, str, str]]],
    ) -> None:
        """Makes the control inputs of an operation known to the task that reads a variable for it."""
        for control in reader._control_inputs:
            if control not in self.index or tasks[control] == task:
                continue
            if _is_small_constant(control):
                self._copy(control, task)
            elif (task, control) not in self.received:
                self._receive_from(control, control, task, expected)

    def _receive_from(
        self, element: Any, source: Any, task: str, expected: dict[Any, list[tuple[Any, str, str]]]
    ) -> None:
        """Records that a task receives a tensor, or the completion of an operation."""
        self.received[task, element] = self._new_name(source.name)
        expected.setdefault(source, []).append((element, task, self.received[task, element]))

    def _output_frame(self, op: Any) -> Frame:
        """Returns the frame of an operation's outputs."""
        frame = self.frames[op]
        return frame[:-1] if op.type in _EXITS else frame

    def _add_counts(
        self, tasks: Mapping[Any, str], expected: dict[Any, list[tuple[Any, str, str]]]
    ) -> None:
        """Adds the circulating value on each task of a multi-task loop."""
        conditions = {self.frames[op]: op for op in self.ops if op.type == "LoopCond"}
        enters = {self.frames[op]: op for op in self.ops if op.type in _ENTERS}
        shared: dict[tuple[str, Frame], None] = {}
        for source, rows in list(expected.items()):
            frame = self._output_frame(source)
            for task in (tasks[source], *(task for _, task, _ in rows)):
                shared.update({(task, frame[: n + 1]): None for n in range(len(frame))})
        for task, frame in shared:
            condition = conditions.get(frame)
            if condition is None:
                invalid(f"A cross-device loop must have a pivot predicate: {frame[-1]}")
            predicate = condition.outputs[0]
            if tasks[condition] != task and (task, predicate) not in self.received:
                self._receive_from(predicate, condition, task, expected)
            self._add_count(task, frame, predicate, enters[frame])

    def _add_count(self, task: str, frame: Frame, predicate: Any, enter: Any) -> None:
        part = self._partition_for_task(task)
        part.has_control_flow = True

        def add(op: str, *inputs: str) -> Any:
            name = self._new_name(f"{enter.name}/_count")
            node = part.graph_def.node.add(name=name, op=op, input=inputs, device=self._host(task))
            node.attr["dtype" if op == "Const" else "T"].type = float32.as_datatype_enum
            return node

        outer = self.counts.get((task, frame[:-1]))
        if outer is None:
            start = add("Const")
            start.attr["value"].tensor.dtype = float32.as_datatype_enum
            start.attr["value"].tensor.tensor_shape.dim.add(size=0)
            outer = start.name
        enters = add("Enter", outer)
        enters.attr["frame_name"].s = frame[-1].encode()
        enters.attr["is_constant"].b = False
        enters.attr["parallel_iterations"].i = enter.attrs["parallel_iterations"]
        merge = add("Merge", enters.name)
        merge.attr["N"].i = 2
        source = self.received.get((task, predicate)) or predicate._as_node_def_input()
        switch = add("Switch", merge.name, source)
        merge.input.append(add("NextIteration", f"{switch.name}:1").name)
        self.counts[task, frame] = merge.name

    def _levels(self, tasks: Mapping[Any, str]) -> dict[Any, int | None]:
        """Returns each operation's level: the most task changes on a path to it; None after a branch that may not run.

        Receives from one task at the same level can be batched, because they are independent.
        """
        levels: dict[Any, int | None] = {}
        for op in self.ops:
            level: int | None = 0
            sources = [t.op for t in op.inputs if t not in self.fed]
            sources += [c for c in op._control_inputs if c in self.index]
            if op.type in ("Switch", "RefSwitch", "Merge", "RefMerge", "Enter", "RefEnter"):
                level = None
            for source in sources:
                previous_levels = levels.get(source)
                if previous_levels is None or level is None:
                    level = None
                else:
                    level = max(level, previous_levels + (tasks[source] != tasks[op]))
            levels[op] = level
        return levels

    def _copy(self, source: Any, task: str) -> None:
        """Copies a constant into the consumer's graph instead of sending it in each step."""
        if (task, source) not in self.copied:
            self.copied.add((task, source))
            node = self._partition_for_task(task).graph_def.node.add()
            nodedef._fill_node_def(node, source, [])
            node.device = self._host(task)
            if "_class" in node.attr:
                del node.attr["_class"]

    def _check(self, element: Any, source: Any, reader: Any) -> None:
        is_tensor = element is not source
        if is_tensor and element.dtype.base_dtype in (resource, variant):
            invalid(
                f"{element.name}, a handle, is on {device_task(self.device_of[source])} and cannot be used by "
                f"{reader.name} on {device_task(self.device_of[reader])}"
            )

    def _partition_for_task(self, task: str) -> Partition:
        if task not in self.parts:
            self.parts[task] = Partition(task, proto.GraphDef())
        return self.parts[task]

    def _host(self, task: str) -> str:
        return f"{task}/device:CPU:0"

    def _new_name(self, stem: str) -> str:
        while True:
            self.count += 1
            name = f"{stem}/_{self.count}"
            if name not in self.names:
                self.names.add(name)
                return name

    def _address(
        self, node: Any, name: str, sender: str, receiver: str, client: bool = False
    ) -> str:
        """Sets the attrs that identify the tensor of a _Send or _Recv; returns the key."""
        values: dict[str, Any] = {
            "tensor_name": name if client else f"edge_{name}",
            "send_device": sender,
            "send_device_incarnation": self.incarnations.get(sender, 0),
            "recv_device": receiver,
        }
        incarnation = values["send_device_incarnation"]
        values["send_device_incarnation"] = (
            incarnation - (1 << 64) if incarnation >> 63 else incarnation
        )
        for key, value in values.items():
            if isinstance(value, str):
                node.attr[key].s = value.encode()
            else:
                node.attr[key].i = value
        node.attr["client_terminated"].b = client
        return rendezvous_key(values)

    def _input_name(self, part: Partition, tensor: Any, reader: Any) -> str:
        if tensor in self.fed:
            return self._feed(part, tensor)
        name = self.received.get((part.task, self._element(tensor, reader)))
        return tensor._as_node_def_input() if name is None else name

    def _control_name(self, part: Partition, source: Any, reader: Any) -> str:
        return self.received.get((part.task, source), source.name)

    def _feed(self, part: Partition, tensor: Any) -> str:
        """Returns a node that replaces a fed tensor on a task."""
        received = self.received.get((part.task, tensor))
        if received is not None:
            return received
        name = f"_recv_{tensor.op.name}_{tensor.value_index}"
        self.received[part.task, tensor] = name
        node = part.graph_def.node.add(name=name, op="_Recv", device=self._host(part.task))
        node.attr["tensor_type"].type = tensor.dtype.base_dtype.as_datatype_enum
        host = self._host(part.task)
        part.feeds[tensor.name] = self._address(node, tensor.name, host, host, client=True)
        return name

    def _send_to(self, row: tuple[Any, str, str], source: Any, device: str) -> None:
        element, task, name = row
        part = self._partition_for_task(device_task(device))
        part.exchanges = True
        if element is source:
            signal = part.graph_def.node.add(name=self._new_name(source.name), op="Const")
            signal.device = device
            signal.attr["dtype"].type = float32.as_datatype_enum
            value = signal.attr["value"].tensor
            value.dtype = float32.as_datatype_enum
            value.tensor_shape.dim.add(size=0)
            signal.input.append("^" + source.name)
            source_name, dtype = signal.name, float32
        elif isinstance(element, _OrderedRead):
            read = part.graph_def.node.add(name=self._new_name(source.name), op="Identity")
            read.device = device
            read.attr["T"].type = element.dtype.base_dtype.as_datatype_enum
            read.input.append(element.reference._as_node_def_input())
            for control in element.reader._control_inputs:
                if control in self.index:
                    read.input.append("^" + self._control_name(part, control, element.reader))
            source_name, dtype = read.name, element.dtype.base_dtype
        else:
            source_name, dtype = element._as_node_def_input(), element.dtype.base_dtype
        node = part.graph_def.node.add(name=self._new_name(source.name), op="_Send", device=device)
        node.input.append(source_name)
        if element is source:
            node.input.append("^" + source.name)
        node.attr["T"].type = dtype.as_datatype_enum
        self._address(node, name, device, self._host(task))

    def _fetch(self, tensor: Any) -> None:
        if tensor in self.fed:
            return
        device = self.device_of[tensor.op]
        part = self._partition_for_task(device_task(device))
        name = f"_send_{tensor.op.name}_{tensor.value_index}"
        node = part.graph_def.node.add(name=name, op="_Send")
        node.device = device
        node.input.append(tensor._as_node_def_input())
        node.attr["T"].type = tensor.dtype.base_dtype.as_datatype_enum
        part.fetches[tensor.name] = self._address(
            node, tensor.name, device, self._host(part.task), client=True
        )


def _is_small_constant(op: Any) -> bool:
    if op.type != "Const" or op._control_inputs:
        return False
    literal = op.attrs["value"]
    return literal.size <= _MAX_COPIED_ELEMENTS


def _frame_by_operation(ops: Sequence[Any], fed: set[Any]) -> dict[Any, Frame]:
    """Returns each operation's frame: for an Enter the one it enters, for an Exit the one it leaves."""
    frames: dict[Any, Frame] = {}
    for op in ops:
        frame: Frame = ()
        for source in input_operations(op, fed):
            source_frames = frames.get(source, ())
            frame = max(
                frame, source_frames[:-1] if source.type in _EXITS else source_frames, key=len
            )
        if op.type in _ENTERS:
            frame = (*frame, op.attrs["frame_name"])
        frames[op] = frame
    return frames


def _devices(ops: Sequence[Any], device_of: Callable[[Any], str]) -> dict[Any, str]:
    """Returns each operation's device: its placement, except that control flow runs on its data's task.

    As in graph_partition.cc, Enter and NextIteration are placed with their first consumer, Switch and Exit with their
    input.
    """
    devices = {op: device_of(op) for op in ops}

    def move(op: Any, other: Any) -> None:
        if other in devices and device_task(devices[other]) != device_task(devices[op]):
            devices[op] = devices[other]

    for op in reversed(ops):
        if op.type in ("Enter", *LOOPS_BACK):
            readers = [r for r in op.outputs[0]._consumers if r in devices]
            move(op, readers[0] if readers else op)
    for op in ops:
        if op.type in ("Switch", "RefSwitch", *_EXITS):
            move(op, op.inputs[0].op)
    return devices
