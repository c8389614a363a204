"""The statistics of each node of a graph, and their sums."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import prod
from typing import Any

ROOT = "_TFProfRoot"

# Summed fields of GraphNodeProto.
SUMS = (
    *("exec_micros", "accelerator_exec_micros", "cpu_exec_micros", "requested_bytes", "peak_bytes"),
    *("residual_bytes", "output_bytes", "parameters", "float_ops", "run_count"),
)

_STEP_FIELDS = [name for name in SUMS if name not in ("parameters", "float_ops")]

_DEVICE = re.compile(r".*/(device:gpu|gpu|device:cpu|cpu):\d+")
_ACCELERATOR_DEVICE = re.compile(r".*/(device:)?gpu:\d+/stream:all")


@dataclass
class Node:
    """A graph node: its statistics, types (including the device) and input names."""

    name: str
    op: str = ""
    types: set[str] = field(default_factory=set)
    device: str = ""
    shape: list[int] | None = None
    inputs: list[str] = field(default_factory=list)
    input_shapes: list[list[int] | None] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SUMS, 0))

    def add(self, **statistics: int) -> None:
        """Adds values to the statistics."""
        for name, value in statistics.items():
            self.counters[name] += value


def graph_nodes(graph: Any, op_log: Any, steps: Iterable[tuple[int, Any]]) -> dict[str, Node]:
    """Returns a graph's nodes by name, with data from an OpLogProto and the RunMetadata of steps.

    Statistics of several steps are averaged over the steps that ran the node.
    """
    nodes: dict[str, Node] = {}
    for op in graph.get_operations():
        node = nodes[op.name] = Node(op.name, op.type, {op.type})
        shape = op.node_def.attr["shape"].shape if "shape" in op.node_def.attr else None
        if shape is not None and not shape.unknown_rank:
            dims = [dim.size for dim in shape.dim] or [1]
            node.shape = dims
            if -1 not in dims:
                node.add(parameters=prod(dims))
        inputs = [tensor.name for tensor in op.inputs]
        inputs += sorted(f"^{other.name}" for other in op.control_inputs)
        node.inputs = [name.removeprefix("^").partition(":")[0] for name in inputs]
        node.input_shapes = [_input_dims(graph, name) for name in inputs]
    for entry in op_log.log_entries:
        if entry.name in nodes:
            nodes[entry.name].types.update(entry.types)
            nodes[entry.name].add(float_ops=entry.float_ops)
    ran: dict[str, set[int]] = {}
    for step_id, step in steps:
        for name in _add_step(nodes, step):
            ran.setdefault(name, set()).add(step_id)
    for name, step_ids in ran.items():
        step_counters = nodes[name].counters
        step_counters.update({key: step_counters[key] // len(step_ids) for key in _STEP_FIELDS})
    for node in nodes.values():  # times the number of runs
        node.counters["float_ops"] *= max(1, node.counters["run_count"])
    return nodes


def _input_dims(graph: Any, name: str) -> list[int] | None:
    """Returns the static shape of an input, or of a control input's first output: [1] for a scalar, -1 for an unknown
    size; None if the rank is unknown.
    """
    node, _, index = name.removeprefix("^").partition(":")
    outputs = graph.get_operation_by_name(node).outputs
    if not outputs or outputs[int(index or 0)].get_shape().ndims is None:
        return None
    dims = outputs[int(index or 0)].get_shape().as_list()
    return [-1 if size is None else size for size in dims] or [1]


def _add_step(nodes: dict[str, Node], step: Any) -> set[str]:
    """Adds the costs in a step to its nodes; returns the node names."""
    ran = set()
    for device in step.step_stats.dev_stats:
        name = device.device.lower()
        for stats in device.node_stats:
            base_name = stats.node_name.partition(":")[0]
            node = nodes.setdefault(base_name, Node(stats.node_name, stats.node_name))
            ran.add(base_name)
            micros = max(1, stats.op_end_rel_micros)
            if _ACCELERATOR_DEVICE.fullmatch(name):
                node.add(accelerator_exec_micros=micros, exec_micros=micros)
                continue
            if not _DEVICE.fullmatch(name):
                continue
            node.device = name
            node.types.add(name)
            node.add(cpu_exec_micros=micros, exec_micros=micros, run_count=1)
            _add_memory(node, stats)
    return ran


def _add_memory(node: Node, stats: Any) -> None:
    for memory in stats.memory:
        node.add(requested_bytes=memory.total_bytes, peak_bytes=memory.peak_bytes)
        node.add(residual_bytes=memory.live_bytes)
    for output in stats.output:
        node.add(output_bytes=output.tensor_description.allocation_description.allocated_bytes)


@dataclass(eq=False)
class ViewEntry:
    """An entry of a view: a group of graph nodes, and its child entries.

    is_counted: whether the group's own statistics are counted.
    totals: sums over the group and all descendants.
    """

    name: str
    nodes: list[Node]
    is_counted: bool
    children: list[ViewEntry] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=dict)
    definitions: int = 0

    def own_total(self, name: str) -> int:
        """Returns a total over the group's own nodes, without descendants."""
        return sum(node.counters[name] for node in self.nodes) if self.is_counted else 0

    def reset(self) -> None:
        """Resets the totals to the group's own statistics."""
        self.totals = {name: self.own_total(name) for name in SUMS}
        self.definitions = max(1, len(self.nodes))

    def add(self, other: ViewEntry) -> None:
        """Adds the totals of another entry."""
        for name, total in other.totals.items():
            self.totals[name] += total
        self.definitions += other.definitions


def matches_any(name: str, patterns: Iterable[str]) -> bool:
    """Whether a full name matches one of the patterns."""
    return any(re.fullmatch(pattern, name) for pattern in patterns)


def from_start(entries: list[ViewEntry], options: Any) -> list[ViewEntry]:
    """Returns the outermost entries whose names match the options' start patterns."""
    starts = []
    for node in entries:
        if matches_any(node.name, options.start_name_regexes):
            starts.append(node)
        else:
            starts += from_start(node.children, options)
    return starts


def is_counted(nodes: list[Node], options: Any) -> bool:
    """Whether the options count a type of one of the nodes."""
    patterns = list(options.account_type_regexes)
    return patterns == [".*"] or any(matches_any(t, patterns) for node in nodes for t in node.types)


_MINIMUMS = {
    "min_bytes": "requested_bytes",
    "min_peak_bytes": "peak_bytes",
    "min_residual_bytes": "residual_bytes",
    "min_output_bytes": "output_bytes",
    "min_micros": "exec_micros",
    "min_accelerator_micros": "accelerator_exec_micros",
    "min_cpu_micros": "cpu_exec_micros",
    "min_params": "parameters",
    "min_float_ops": "float_ops",
    "min_occurrence": "run_count",
}
_OWN_MINIMA = ("min_params", "min_float_ops", "min_occurrence")


def is_shown(node: ViewEntry, options: Any, depth: int, is_grouped_by_kind: bool = False) -> bool:
    """Whether the options display the entry."""
    if node.name == ROOT:
        return True
    for option, name in _MINIMUMS.items():
        minimum = getattr(options, option)
        is_exclusive = option in _OWN_MINIMA and not is_grouped_by_kind
        if minimum and (node.own_total(name) if is_exclusive else node.totals[name]) < minimum:
            return False
    return (
        depth <= options.max_depth
        and matches_any(node.name, options.show_name_regexes)
        and not matches_any(node.name, options.hide_name_regexes)
    )


_ORDERS = {
    "bytes": "requested_bytes",
    "peak_bytes": "peak_bytes",
    "residual_bytes": "residual_bytes",
    "output_bytes": "output_bytes",
    "micros": "exec_micros",
    "accelerator_micros": "accelerator_exec_micros",
    "cpu_micros": "cpu_exec_micros",
    "params": "parameters",
    "float_ops": "float_ops",
}


def in_order(nodes: list[ViewEntry], options: Any) -> list[ViewEntry]:
    """Returns the entries in the order set by the options: by name, or by descending total."""
    if options.order_by == "name":
        return sorted(nodes, key=lambda node: node.name)
    if options.order_by == "occurrence":
        return sorted(nodes, key=lambda node: -node.definitions)
    name = _ORDERS.get(options.order_by)
    return nodes if name is None else sorted(nodes, key=lambda node: -node.totals[name])


def graph_node(node: ViewEntry) -> Any:
    """Returns a displayed node without its children, as a dict of GraphNodeProto fields."""
    fields: dict[str, Any] = {"name": node.name, "total_definition_count": node.definitions}
    for name in SUMS:
        fields[name] = node.own_total(name)
        fields[f"total_{name}"] = node.totals[name]
    return fields
