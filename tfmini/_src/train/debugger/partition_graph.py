"""The nodes that a device ran in a step, without the nodes added by TensorFlow's debugger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.train.debugger.tensor_datum import DebugTensorDatum

_COPY, _DEBUG = "__copy_", "__dbg_"


def strip_output_index(name: str) -> str:
    """Returns the node name of a tensor name."""
    return name.rpartition(":")[0] or name


class PartitionGraph:
    """The nodes of a GraphDef by name, with their inputs and consumers.

    The debugger copies each watched tensor, and its consumers wait for the debug nodes that read the copy. Here,
    consumers read the tensor itself, without these control inputs.

    Raises:
      ValueError: for duplicate node names.
    """

    def __init__(self, graph_def: Any, device: str):
        self.graph_def = graph_def
        self.nodes: dict[str, Any] = {}
        for node in graph_def.node:
            if node.name in self.nodes:
                raise ValueError(f"Duplicate node name on device {device}: '{node.name}'")
            if not node.name.startswith(_DEBUG):
                self.nodes[node.name] = node
        self.inputs: dict[str, list[str]] = {}
        self.control_inputs: dict[str, list[str]] = {}
        sends = set()
        for name, node in self.nodes.items():
            if node.op in ("_Send", "_Retval") and any(i.startswith(_COPY) for i in node.input):
                sends.add(name)
            if not name.startswith(_COPY):
                self.inputs[name] = [self._source(i) for i in node.input if not i.startswith("^")]
                control = [i[1:] for i in node.input if i.startswith("^")]
                self.control_inputs[name] = [i for i in control if not i.startswith(_DEBUG)]
        self.recipients: dict[str, list[str]] = {name: [] for name in self.inputs}
        self.control_recipients: dict[str, list[str]] = {name: [] for name in self.inputs}
        for name in self.inputs:
            for value in self.inputs[name]:
                self.recipients.setdefault(strip_output_index(value), []).append(name)
            for value in self.control_inputs[name]:
                if value not in sends:
                    self.control_recipients.setdefault(value, []).append(name)

    def _source(self, text: str) -> str:
        """Returns an input, or the source of the copy if the debugger has copied it."""
        return self.nodes[text].input[0] if text.startswith(_COPY) else text

    def check(self, data: Sequence[DebugTensorDatum], device: str) -> None:
        """Raises ValueError for a tensor of an unknown node, or a tensor older than its inputs."""
        for datum in data:
            if datum.node_name not in self.inputs:
                raise ValueError(
                    f"Node name '{datum.node_name}' is not found in partition graphs of device {device}."
                )
        pending = self._watched_inputs({(datum.node_name, datum.output_slot) for datum in data})
        for position, datum in enumerate(data, 1):
            waiting = pending[datum.node_name]
            for other in data[position:]:  # with the same timestamp
                if not waiting or other.timestamp > datum.timestamp:
                    break
                if (other.node_name, other.output_slot) in waiting:
                    waiting.remove((other.node_name, other.output_slot))
            if waiting:
                raise ValueError(
                    f"Causality violated in timing relations of debug dumps: {datum.node_name} "
                    f"({datum.timestamp}): these input(s) are not satisfied: {waiting}"
                )
            key = datum.node_name, datum.output_slot
            for name in self.recipients[datum.node_name]:
                if key in pending[name]:
                    # A Merge forwards one of its inputs.
                    is_merge = self.nodes[name].op == "Merge"
                    pending[name] = [] if is_merge else [k for k in pending[name] if k != key]

    def _watched_inputs(self, watched: set[tuple[str, int]]) -> dict[str, list[tuple[str, int]]]:
        """Returns the inputs that were written, by node name, without back edges."""
        pending: dict[str, list[tuple[str, int]]] = {}
        for name, inputs in self.inputs.items():
            pending[name] = []
            for value in inputs:
                node, _, slot = value.rpartition(":")
                key = (node, int(slot)) if node else (value, 0)
                source = self.nodes.get(value)
                is_in_loop = source is not None and source.op in ("Enter", "NextIteration")
                if key in watched and not is_in_loop and key not in pending[name]:
                    pending[name].append(key)
        return pending
