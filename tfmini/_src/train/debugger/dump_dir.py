"""Reading the tensors of a step that were written, here or by TensorFlow's debugger."""

from __future__ import annotations

import json
import os
import re
from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.tensor_proto import MakeNdarray
from tfmini._src.train.debugger.dumps import PREFIX, device_name

CoreMetadata = namedtuple(
    "CoreMetadata",
    "global_step session_run_index executor_step_index input_names output_names target_nodes",
)
CoreMetadata.__doc__ = "Which step it was: its number in its session, what it was fed and gave."


class WatchKeyDoesNotExistInDebugDumpDirError(ValueError):
    """A tensor that is not among those that were written."""


def _event(path: str) -> Any:
    with open(path, "rb") as file:
        return proto.Event.FromString(file.read())


def load_tensor_from_event(event: Any) -> Any:
    """The tensor of an Event, a numpy array; None if it had no value."""
    message = event.summary.value[0].tensor
    has_content = message.tensor_content or message.string_val or not message.tensor_shape.dim
    if not has_content and 0 not in [dim.size for dim in message.tensor_shape.dim]:
        return None
    return MakeNdarray(message)


def load_tensor_from_event_file(event_file_path: str) -> Any:
    """The tensor of a file; as `load_tensor_from_event`."""
    return load_tensor_from_event(_event(event_file_path))


class DebugTensorDatum:
    """One tensor of a step, as it was written.

    Args:
      dump_root: the folder of the step.
      debug_dump_rel_path: the file's path below it.
    """

    timestamp: int = read_only(
        "Time of its computation, in microseconds; for steps written here only the order is meaningful."
    )
    debug_op: str = read_only('Debug op that was applied to it: "DebugIdentity".')
    device_name: str = read_only("The device of its node.")
    node_name: str = read_only("The name of its node.")
    output_slot: int = read_only("The index of the node's output.")
    file_path: str = read_only("The path of its file.")
    dump_size_bytes: int = read_only("The size of its file.")

    def __init__(self, dump_root: str, debug_dump_rel_path: str):
        parts = debug_dump_rel_path.split(os.sep)
        name, slot, debug_op, when = parts[-1].rsplit("_", 3)
        self._device_name = device_name(parts[0])
        self._node_name = "/".join([*parts[1:-1], name])
        self._output_slot = int(slot)
        self._debug_op = debug_op
        self._timestamp = int(when.split("-")[0])
        self._file_path = os.path.join(dump_root, debug_dump_rel_path)
        self._dump_size_bytes = os.path.getsize(self._file_path)

    def __repr__(self) -> str:
        return (
            f"{{DebugTensorDatum ({self._device_name}) {self.tensor_name} @ {self._debug_op} @ "
            f"{self._timestamp}}}"
        )

    __str__ = __repr__

    def get_tensor(self) -> Any:
        """The value, a numpy array; None if it had none."""
        return load_tensor_from_event_file(self._file_path)

    @property
    def tensor_name(self) -> str:
        """The name of the tensor."""
        return f"{self._node_name}:{self._output_slot}"

    @property
    def watch_key(self) -> str:
        """`NODE:OUTPUT:DebugIdentity`."""
        return f"{self.tensor_name}:{self._debug_op}"


class DebugDumpDir:
    """The tensors of one step.

    Args:
      dump_root: the folder of the step, `run_...`.
      partition_graphs: GraphDefs, a list, in place of those that were written.
      validate: whether a node with a tensor has to be in a graph.

    Raises:
      IOError: if there is no such folder.
      ValueError: a tensor is of a node that is in no graph.

    Example:
      for datum in DebugDumpDir("/tmp/dumps/run_1_0").find(has_inf_or_nan):
          print(datum.node_name, datum.get_tensor())
    """

    python_graph: Any = read_only("The `tf.Graph` that `set_python_graph` was given, or None.")

    def __init__(self, dump_root: str, partition_graphs: Any = None, validate: bool = True):
        if not os.path.isdir(dump_root):
            raise OSError(f"Dump root directory {dump_root} does not exist")
        self._dump_root = dump_root
        self._data: list[DebugTensorDatum] = []
        self._graphs: dict[str, Any] = {}
        self._python_graph: Any = None
        for folder in sorted(os.listdir(dump_root)):
            if folder.startswith(f"{PREFIX}device_"):
                self._read(folder)
        self._data.sort(key=lambda datum: datum.timestamp)
        if partition_graphs is not None:
            self._graphs = {graph.node[0].device: graph for graph in partition_graphs}
        self._nodes = {
            node.name: (device, node)
            for device, graph in self._graphs.items()
            for node in graph.node
        }
        if validate and self._graphs:
            for datum in self._data:
                if datum.node_name not in self._nodes:
                    raise ValueError(
                        f"Node name '{datum.node_name}' is not found in partition graphs of device "
                        f"{datum.device_name}."
                    )

    def _read(self, folder: str) -> None:
        root = os.path.join(self._dump_root, folder)
        for path, _, files in os.walk(root):
            for name in files:
                relative = os.path.relpath(os.path.join(path, name), self._dump_root)
                if not name.startswith(PREFIX):
                    self._data.append(DebugTensorDatum(self._dump_root, relative))
                elif name.startswith(f"{PREFIX}graph_"):
                    event = _event(os.path.join(path, name))
                    graph = proto.GraphDef.FromString(event.graph_def)
                    self._graphs[device_name(folder)] = graph

    def _texts(self, kind: str) -> Iterator[str]:
        for name in sorted(os.listdir(self._dump_root)):
            if name.startswith(PREFIX + kind):
                yield _event(os.path.join(self._dump_root, name)).log_message.message

    @property
    def dumped_tensor_data(self) -> list[DebugTensorDatum]:
        """All tensors, in the order of their timestamps."""
        return list(self._data)

    @property
    def size(self) -> int:
        """Number of tensors."""
        return len(self._data)

    @property
    def t0(self) -> int | None:
        """Timestamp of the first tensor, in microseconds."""
        return self._data[0].timestamp if self._data else None

    @property
    def core_metadata(self) -> Any:
        """Description of the step, a CoreMetadata, or a list of several."""
        found = [
            CoreMetadata(**{name: fields[name] for name in CoreMetadata._fields})
            for fields in map(json.loads, self._texts("core_metadata_"))
        ]
        return found[0] if len(found) == 1 else found

    @property
    def run_fetches_info(self) -> Any:
        """The fetches of the step, a text, or a list of several."""
        found = list(self._texts("fetches_info_"))
        return found[0] if len(found) == 1 else found

    @property
    def run_feed_keys_info(self) -> Any:
        """Description of the step's feeds, a text, or a list of several."""
        found = list(self._texts("feed_keys_info_"))
        return found[0] if len(found) == 1 else found

    def set_python_graph(self, python_graph: Any) -> None:
        """Gives the graph, for `node_traceback`."""
        self._python_graph = python_graph

    def partition_graphs(self) -> list[Any]:
        """The GraphDef of each device; raises LookupError if there are none."""
        if not self._graphs:
            raise LookupError("No partition graphs have been loaded.")
        return list(self._graphs.values())

    def loaded_partition_graphs(self) -> bool:
        """Whether there are graphs."""
        return bool(self._graphs)

    def devices(self) -> list[str]:
        """The devices."""
        return sorted({*self._graphs, *(datum.device_name for datum in self._data)})

    def nodes(self, device_name: str | None = None) -> list[str]:
        """The names of all nodes, or of those of a device; raises LookupError without graphs."""
        self.partition_graphs()
        return [n for n, (device, _) in self._nodes.items() if device_name in (None, device)]

    def node_exists(self, node_name: str, device_name: str | None = None) -> bool:
        """Whether there is a node of that name."""
        return node_name in self.nodes(device_name)

    def _node(self, node_name: str) -> tuple[str, Any]:
        self.partition_graphs()
        if node_name not in self._nodes:
            count = len(self.devices())
            raise ValueError(f"None of the {count} device(s) has a node named '{node_name}'.")
        return self._nodes[node_name]

    def node_device(self, node_name: str) -> str:
        """The device of a node; raises ValueError if there is none of that name."""
        return self._node(node_name)[0]

    def node_op_type(self, node_name: str, device_name: str | None = None) -> str:
        """The type of a node; raises ValueError if there is none of that name."""
        return self._node(node_name)[1].op

    def node_attributes(self, node_name: str, device_name: str | None = None) -> Any:
        """The attrs of a node, AttrValues by their names."""
        return self._node(node_name)[1].attr

    def node_inputs(
        self, node_name: str, is_control: bool = False, device_name: str | None = None
    ) -> list[str]:
        """The names of a node's inputs, or of its control inputs."""
        given = self._node(node_name)[1].input
        chosen = [name for name in given if name.startswith("^") == is_control]
        return [name.removeprefix("^").removesuffix(":0") for name in chosen]

    def node_recipients(
        self, node_name: str, is_control: bool = False, device_name: str | None = None
    ) -> list[str]:
        """The names of the nodes that take something of a node, or run after it."""
        self._node(node_name)
        found = []
        for name in self.nodes():
            inputs = self.node_inputs(name, is_control)
            if node_name in [given.partition(":")[0] for given in inputs]:
                found.append(name)
        return found

    def node_traceback(self, element_name: str) -> Any:
        """Traceback of a node; raises LookupError without a `python_graph`, KeyError for a name not in it."""
        if self._python_graph is None:
            raise LookupError("Python graph is not available for traceback lookup")
        name = element_name.partition(":")[0]
        try:
            return self._python_graph.get_operation_by_name(name).traceback
        except KeyError:
            raise KeyError(f"Cannot find node '{name}' in Python graph") from None

    def debug_watch_keys(self, node_name: str, device_name: str | None = None) -> list[str]:
        """The keys of a node's tensors."""
        return [datum.watch_key for datum in self._data if datum.node_name == node_name]

    def watch_key_to_data(
        self, debug_watch_key: str, device_name: str | None = None
    ) -> list[DebugTensorDatum]:
        """The tensors of a key, `NODE:OUTPUT:DebugIdentity`."""
        return [datum for datum in self._data if datum.watch_key == debug_watch_key]

    def find(
        self,
        predicate: Callable[[DebugTensorDatum, Any], bool],
        first_n: int = 0,
        device_name: str | None = None,
        exclude_node_names: str | None = None,
    ) -> list[DebugTensorDatum]:
        """The tensors for which `predicate(datum, value)` is true, in their order.

        Args:
          predicate: a function, as `has_inf_or_nan`.
          first_n: how many at most; 0: all.
          device_name: those of a device.
          exclude_node_names: a regular expression of names of nodes that are left out.
        """
        found: list[DebugTensorDatum] = []
        for datum in self._data:
            if device_name not in (None, datum.device_name):
                continue
            if exclude_node_names and re.match(exclude_node_names, datum.node_name):
                continue
            value = datum.get_tensor()
            if value is not None and predicate(datum, value):
                found.append(datum)
                if len(found) == first_n:
                    break
        return found

    def _of(self, node_name: str, output_slot: int, debug_op: str) -> list[DebugTensorDatum]:
        key = f"{node_name}:{output_slot}:{debug_op}"
        found = self.watch_key_to_data(key)
        if not found:
            raise WatchKeyDoesNotExistInDebugDumpDirError(
                f'Watch key "{key}" does not exist in the debug dump of device None'
            )
        return found

    def get_tensors(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[np.ndarray]:
        """The values of a tensor; raises ValueError if it was not written."""
        return [datum.get_tensor() for datum in self._of(node_name, output_slot, debug_op)]

    def get_tensor_file_paths(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[str]:
        """The paths of its files; raises ValueError if it was not written."""
        return [datum.file_path for datum in self._of(node_name, output_slot, debug_op)]

    def get_rel_timestamps(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[int]:
        """Timestamps of the tensor, in microseconds after the first tensor."""
        first = self.t0 or 0
        return [datum.timestamp - first for datum in self._of(node_name, output_slot, debug_op)]

    def get_dump_sizes_bytes(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[int]:
        """The sizes of its files."""
        return [datum.dump_size_bytes for datum in self._of(node_name, output_slot, debug_op)]
