"""Reads the tensor dumps of a step, written by this package or by TensorFlow's debugger."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tfmini._src.base import logs, proto
from tfmini._src.base.read_only import read_only
from tfmini._src.train.debugger.dumps import PREFIX, device_name
from tfmini._src.train.debugger.partition_graph import PartitionGraph, strip_output_index
from tfmini._src.train.debugger.tensor_datum import DebugTensorDatum, read_event

CoreMetadata = namedtuple(
    "CoreMetadata",
    "global_step session_run_index executor_step_index input_names output_names target_nodes",
)
CoreMetadata.__doc__ = "Description of a step: its number in the session, its feeds and fetches."


class WatchKeyDoesNotExistInDebugDumpDirError(ValueError):
    """Raised for a tensor that was not dumped."""


class DebugDumpDir:
    """The dumped tensors of one step.

    Args:
      dump_root: the step's directory, `run_...`.
      partition_graphs: GraphDefs for devices without a dumped graph.
      validate: whether to check that each tensor belongs to a node in the graph of its device and is newer than
        the inputs of the node.

    Raises:
      IOError: if the directory does not exist.
      ValueError: for an invalid file name, or a tensor of an unknown node or that is older than its inputs.

    Example:
      for datum in DebugDumpDir("/tmp/dumps/run_1_0").find(has_inf_or_nan):
          print(datum.node_name, datum.get_tensor())
    """

    python_graph: Any = read_only("The `tf.Graph` passed to `set_python_graph`, or None.")

    def __init__(self, dump_root: str, partition_graphs: Any = None, validate: bool = True):
        if not os.path.isdir(dump_root):
            raise OSError(f"Dump root directory {dump_root} does not exist")
        self._dump_root = dump_root
        self._data: dict[str, list[DebugTensorDatum]] = {}
        self._graphs: dict[str, PartitionGraph] = {}
        self._python_graph: Any = None
        written: dict[str, Any] = {}
        for directory in sorted(os.listdir(dump_root)):
            if directory.startswith(f"{PREFIX}device_"):
                self._read(directory, written)
        for device, data in self._data.items():
            data.sort(key=lambda datum: datum.extended_timestamp)
            graph = written.get(device)
            if graph is None:
                logs.warn(
                    f"Failed to load partition graphs for device {device} from disk. As a fallback, the client "
                    "graphs will be used. This may cause mismatches in device names."
                )
                values = [g for g in partition_graphs or () if device in [n.device for n in g.node]]
                graph = values[0] if values else None
            if graph is not None:
                self._graphs[device] = PartitionGraph(graph, device)
                if validate:
                    self._graphs[device].check(data, device)
        self._devices_of: dict[str, list[str]] = {}
        for device, device_graph in self._graphs.items():
            for name in device_graph.nodes:
                self._devices_of.setdefault(name, []).append(device)

    def _read(self, directory: str, graphs: dict[str, Any]) -> None:
        data = self._data[device_name(directory)] = []
        for path, _, files in os.walk(os.path.join(self._dump_root, directory)):
            for name in files:
                relative = os.path.relpath(os.path.join(path, name), self._dump_root)
                if name.startswith(f"{PREFIX}graph_"):
                    event = read_event(os.path.join(path, name))
                    graphs[device_name(directory)] = proto.GraphDef.FromString(event.graph_def)
                else:
                    data.append(DebugTensorDatum(self._dump_root, relative))

    def _texts(self, prefix: str) -> Iterator[str]:
        for name in sorted(os.listdir(self._dump_root)):
            if name.startswith(PREFIX + prefix):
                yield read_event(os.path.join(self._dump_root, name)).log_message.message

    @property
    def dumped_tensor_data(self) -> list[DebugTensorDatum]:
        """All tensors, sorted by timestamp."""
        all_data = [datum for data in self._data.values() for datum in data]
        return sorted(all_data, key=lambda datum: datum.extended_timestamp)

    @property
    def size(self) -> int:
        """Number of tensors."""
        return sum(map(len, self._data.values()))

    @property
    def t0(self) -> int | None:
        """Timestamp of the first tensor, in microseconds."""
        return min((data[0].timestamp for data in self._data.values() if data), default=None)

    @property
    def core_metadata(self) -> Any:
        """The description of the step, a CoreMetadata; a list if there are several."""
        metadata = [
            CoreMetadata(**{name: fields[name] for name in CoreMetadata._fields})
            for fields in map(json.loads, self._texts("core_metadata_"))
        ]
        return metadata[0] if len(metadata) == 1 else metadata

    @property
    def run_fetches_info(self) -> Any:
        """The fetches of the step, as a string; a list if there are several."""
        infos = list(self._texts("fetches_info_"))
        return infos[0] if len(infos) == 1 else infos

    @property
    def run_feed_keys_info(self) -> Any:
        """The feeds of the step, as a string; a list if there are several."""
        infos = list(self._texts("feed_keys_info_"))
        return infos[0] if len(infos) == 1 else infos

    def set_python_graph(self, python_graph: Any) -> None:
        """Sets the Python graph, for `node_traceback`."""
        self._python_graph = python_graph

    def partition_graphs(self) -> list[Any]:
        """Returns the GraphDefs of all devices; raises LookupError if none are loaded."""
        self._check_loaded("No partition graphs have been loaded.")
        return [graph.graph_def for graph in self._graphs.values()]

    def _check_loaded(self, text: str) -> None:
        if not self._graphs:
            raise LookupError(text)

    def loaded_partition_graphs(self) -> bool:
        """Whether graphs are loaded."""
        return bool(self._graphs)

    def devices(self) -> list[str]:
        """Returns the device names."""
        return list(self._data)

    def nodes(self, device_name: str | None = None) -> list[str]:
        """Returns the node names on one or all devices.

        Raises:
          LookupError: if no graphs are loaded.
          ValueError: for an unknown device.
        """
        self._check_loaded("No partition graphs have been loaded.")
        if device_name is None:
            return [name for graph in self._graphs.values() for name in graph.inputs]
        if device_name not in self._graphs:
            raise ValueError(f"Invalid device name: {device_name}")
        return list(self._graphs[device_name].inputs)

    def node_exists(self, node_name: str, device_name: str | None = None) -> bool:
        """Whether a node of this name exists on the given device, by default on any device.

        Raises:
          LookupError: if no graphs are loaded.
          ValueError: if there is no graph for `device_name`.
        """
        self._check_loaded("Nodes have not been loaded from partition graphs yet.")
        if device_name is not None and device_name not in self._graphs:
            raise ValueError(f"The specified device_name '{device_name}' cannot be found.")
        return any(node_name in graph.inputs for graph in self._graphs.values())

    def _device(self, node_name: str, device_name: str | None) -> str:
        """Returns `device_name`, by default the only device with the node."""
        if device_name is not None:
            return device_name
        devices = self._devices_of.get(node_name, [])
        if not devices:
            raise ValueError(
                f"None of the {len(self._data)} device(s) has a node named '{node_name}'."
            )
        if len(devices) > 1:
            raise ValueError(
                f"There are multiple ({len(devices)}) devices with nodes named '{node_name}' but device_name is not "
                "specified."
            )
        return devices[0]

    def node_device(self, node_name: str) -> str | list[str]:
        """Returns the device of a node, or a list of several; raises ValueError for an unknown node."""
        self._check_loaded("Node devices are not loaded from partition graphs yet.")
        if node_name not in self._devices_of:
            raise ValueError(f"Node '{node_name}' does not exist in partition graphs.")
        devices = self._devices_of[node_name]
        return devices[0] if len(devices) == 1 else list(devices)

    def node_op_type(self, node_name: str, device_name: str | None = None) -> str:
        """Returns the op type of a node; raises ValueError for an unknown node."""
        self._check_loaded("Node op types are not loaded from partition graphs yet.")
        return self._graphs[self._device(node_name, device_name)].nodes[node_name].op

    def node_attributes(self, node_name: str, device_name: str | None = None) -> Any:
        """Returns the AttrValues of a node, by name."""
        self._check_loaded("No partition graphs have been loaded.")
        return self._graphs[self._device(node_name, device_name)].nodes[node_name].attr

    def node_inputs(
        self, node_name: str, is_control: bool = False, device_name: str | None = None
    ) -> list[str]:
        """Returns the names of a node's inputs, or of its control inputs."""
        self._check_loaded("Node inputs are not loaded from partition graphs yet.")
        graph = self._graphs[self._device(node_name, device_name)]
        return list((graph.control_inputs if is_control else graph.inputs)[node_name])

    def node_recipients(
        self, node_name: str, is_control: bool = False, device_name: str | None = None
    ) -> list[str]:
        """Returns the names of a node's consumers, once per consumed input, or of its control consumers."""
        self._check_loaded("Node recipients are not loaded from partition graphs yet.")
        graph = self._graphs[self._device(node_name, device_name)]
        return list((graph.control_recipients if is_control else graph.recipients)[node_name])

    def node_traceback(self, element_name: str) -> Any:
        """Returns the traceback of a node; raises LookupError without a Python graph, KeyError for a node not in it."""
        if self._python_graph is None:
            raise LookupError("Python graph is not available for traceback lookup")
        name = strip_output_index(element_name)
        try:
            return self._python_graph.get_operation_by_name(name).traceback
        except KeyError:
            raise KeyError(f'Cannot find node "{name}" in Python graph') from None

    def debug_watch_keys(self, node_name: str, device_name: str | None = None) -> list[str]:
        """Returns the watch keys of a node; none if its device is ambiguous."""
        try:
            data = self._data[self._device(node_name, device_name)]
        except ValueError:
            return []
        return list(dict.fromkeys(d.watch_key for d in data if d.node_name == node_name))

    def watch_key_to_data(
        self, debug_watch_key: str, device_name: str | None = None
    ) -> list[DebugTensorDatum]:
        """Returns a watch key's tensors, `NODE:OUTPUT:DebugIdentity`; raises ValueError if several devices match."""
        devices = self._data if device_name is None else [device_name]
        tensors = [
            [d for d in self._data[name] if d.watch_key == debug_watch_key] for name in devices
        ]
        tensors = [data for data in tensors if data]
        if len(tensors) > 1:
            raise ValueError(
                f"The debug watch key '{debug_watch_key}' exists on multiple ({len(tensors)}) devices, but device name "
                "is not specified."
            )
        return tensors[0] if tensors else []

    def find(
        self,
        predicate: Callable[[DebugTensorDatum, Any], bool],
        first_n: int = 0,
        device_name: str | None = None,
        exclude_node_names: str | None = None,
    ) -> list[DebugTensorDatum]:
        """Returns the tensors for which `predicate(datum, value)` is true, sorted by timestamp.

        Args:
          predicate: a function such as `has_inf_or_nan`.
          first_n: maximum number of tensors; 0 for all.
          device_name: the device to search, by default all.
          exclude_node_names: regular expression of node names to exclude.
        """
        matches: list[DebugTensorDatum] = []
        for datum in self.dumped_tensor_data:
            if device_name not in (None, datum.device_name):
                continue
            if exclude_node_names and re.match(exclude_node_names, datum.node_name):
                continue
            if predicate(datum, datum.get_tensor()):
                matches.append(datum)
                if len(matches) == first_n:
                    break
        return matches

    def _find(
        self, node_name: str, output_slot: int, debug_op: str, device: str, where: str = ""
    ) -> list[DebugTensorDatum]:
        key = f"{node_name}:{output_slot}:{debug_op}"
        matches = [datum for datum in self._data.get(device, ()) if datum.watch_key == key]
        if not matches:
            raise WatchKeyDoesNotExistInDebugDumpDirError(
                f'Watch key "{key}" does not exist in the debug dump{where}'
            )
        return matches

    def get_tensors(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[np.ndarray]:
        """Returns the values of a tensor; raises ValueError if it was not dumped."""
        with contextlib.suppress(ValueError):
            device_name = self._device(node_name, device_name)
        where = f" of device {device_name}"
        data = self._find(node_name, output_slot, debug_op, str(device_name), where)
        return [datum.get_tensor() for datum in data]

    def get_tensor_file_paths(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[str]:
        """Returns the file paths of a tensor; raises ValueError if it was not dumped."""
        device = self._device(node_name, device_name)
        data = self._find(node_name, output_slot, debug_op, device, f" of device {device}")
        return [datum.file_path for datum in data]

    def get_rel_timestamps(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[int]:
        """Returns the timestamps of a tensor, in microseconds after the first tensor."""
        device = self._device(node_name, device_name)
        data = self._find(node_name, output_slot, debug_op, device)
        return [datum.timestamp - (self.t0 or 0) for datum in data]

    def get_dump_sizes_bytes(
        self, node_name: str, output_slot: int, debug_op: str, device_name: str | None = None
    ) -> list[int | None]:
        """Returns the file sizes of a tensor, in bytes."""
        device = self._device(node_name, device_name)
        data = self._find(node_name, output_slot, debug_op, device, f" of device {device}")
        return [datum.dump_size_bytes for datum in data]
