"""lay_out_filters: transposes the filters of all convolutions to cuDNN's layout in one launch, for both directions.

cuDNN's filter layout differs from TensorFlow's, so a convolution transposes its filter, and its gradient does so again,
with one launch each. Instead, one node transposes all available filters before the first use, to the layout of each
direction's algorithm.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import field
from types import ModuleType
from typing import NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.program import FusedGroup, Guard, Node, Program
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.cuda.active_gpus import gpu_in_use
from tfmini._src.devices.cuda.cudnn.convolution import FORWARD, INPUT_GRADIENT
from tfmini._src.devices.cuda.cudnn.filters import to_cudnn_filters
from tfmini._src.devices.cuda.device import LogicalGpu

_FILTER = 1  # index of the filter input
_DIRECTIONS = {
    **dict.fromkeys(("Conv2D", "Conv3D"), FORWARD),
    **dict.fromkeys(("Conv2DBackpropInput", "Conv3DBackpropInputV2"), INPUT_GRADIENT),
}


def lay_out_filters(program: Program) -> Program:
    """Inserts nodes of kind "fused" that transpose filters, before the first convolution that reads a result.

    The variables and reads that such a node requires move in front of it.
    """
    groups: list[_Group] = []
    open_groups: dict[tuple[object, ...], _Group] = {}
    values = _Values(program)
    for position, node in enumerate(program.nodes):
        values.add(position, node)
        if not _reads_filter(node, program):
            continue
        slot = node.inputs[_FILTER]
        key = node.device, node.guard, program.slots[slot].dtype
        group = open_groups.get(key)
        if group is None or values.available_from.get(slot, 0) > group.node_index:
            group = open_groups[key] = _Group(position, node.guard)
            groups.append(group)
        group.readers.setdefault((slot, _DIRECTIONS[node.opdef.name]), []).append(node)
    nodes_by_position: dict[int, list[Node]] = {}
    moved_ids: set[int] = set()
    for group in groups:
        if sum(map(len, group.readers.values())) > 1:
            later_producers = sorted(
                values.producers_after(group.node_index, group.filters) - moved_ids
            )
            moved_ids.update(later_producers)
            reads = [program.nodes[position] for position in later_producers]
            nodes_by_position[group.node_index] = [*reads, _transposing_node(group, program)]
    if nodes_by_position:
        program.nodes = [
            new_node
            for position, node in enumerate(program.nodes)
            if position not in moved_ids
            for new_node in (*nodes_by_position.get(position, ()), node)
        ]
    return program


class _Values:
    """For each slot, the index of the node that computes it, and the first node where its value could be computed.

    A variable's value is available from the last node that may have changed it.
    """

    def __init__(self, program: Program):
        self._program = program
        self._variables: dict[int, Hashable] = {}  # by the slot of a reference or resource
        self._cells: dict[int, int] = {}  # by the slot of a variable's value
        self._last_changes: dict[Hashable, int] = {}  # key None: the last change of any variable
        self.producer_positions: dict[int, int] = {}
        self.available_from: dict[int, int] = {}

    def add(self, position: int, node: Node) -> None:
        """Records the next node, at index `position`."""
        start = position + 1
        is_free = not node.controls and not node.guard
        if node.kind == "op" and node.opdef.makes_variable:
            attrs = node.attrs
            name = attrs.get("shared_name") or node.origin.name
            self._variables.update(dict.fromkeys(node.outputs, (attrs.get("container", ""), name)))
            start = 0 if is_free and not node.inputs else start
        elif node.kind == "read" or (node.kind == "op" and node.opdef.name == "ReadVariableOp"):
            cell = node.inputs[0]
            if is_free:
                start = max(self.available_from.get(cell, 0), self._last_change(cell))
                self._cells[node.outputs[0]] = cell
        else:
            for slot in node.inputs:
                dtype = self._program.slots[slot].dtype
                if dtype._is_ref_dtype or dtype is dtypes.resource:
                    self._last_changes[self._variables.get(slot)] = start
        for slot in node.outputs:
            self.producer_positions[slot], self.available_from[slot] = position, start

    def _last_change(self, cell: int) -> int:
        """Returns the index of the node after the last change of a variable."""
        variable = self._variables.get(cell)
        if variable is None:
            return max(self._last_changes.values(), default=0)
        return max(self._last_changes.get(None, 0), self._last_changes.get(variable, 0))

    def producers_after(self, position: int, slots: Iterable[int]) -> set[int]:
        """Returns the nodes after index `position` that compute these values, or the variables that hold them."""
        cells = (self._cells.get(slot, slot) for slot in slots)
        producers = {self.producer_positions.get(slot, -1) for slot in (*slots, *cells)}
        return {producer for producer in producers if producer > position}


@dataclass
class _Group:
    """Filters transposed together before node `node_index`, and the readers of each filter in both directions,
    whose fastest algorithms may use different layouts.
    """

    node_index: int
    guard: Guard
    readers: dict[tuple[int, str], list[Node]] = field(default_factory=dict)

    @property
    def filters(self) -> list[int]:
        """The slots of the filters."""
        return list(dict.fromkeys(slot for slot, _ in self.readers))


def _reads_filter(node: Node, program: Program) -> bool:
    if node.kind != "op" or node.opdef.name not in _DIRECTIONS:
        return False
    gpu = program.devices.get(node.device)
    if not isinstance(gpu, LogicalGpu) or not node.attrs.get("use_cudnn_on_gpu", True):
        return False
    return gpu.has_cudnn


def _transposing_node(group: _Group, program: Program) -> Node:
    """Returns the node that transposes the filters of a group, and redirects the readers of the filters."""
    filters = group.filters
    results, orders = [], []
    for (slot, direction), readers in group.readers.items():
        template = program.slots[slot]
        result = program.new_slot(template.dtype, template.dims)
        results.append(result)
        channels_first = readers[0].attrs["data_format"].startswith("NC")
        orders.append(FilterOrder(filters.index(slot), direction, channels_first))
        for reader in readers:
            inputs = list(reader.inputs)
            inputs[_FILTER] = result
            reader.inputs = tuple(inputs)
    first = next(iter(group.readers.values()))[0]
    node = Node("fused", first.origin, tuple(filters), tuple(results))
    node.guard, node.device = group.guard, first.device
    node.payload = FusedGroup((), TransposedFilters(orders))
    return node


class FilterOrder(NamedTuple):
    """The index of a filter, the direction of the convolutions that read it, and their layout until they first run."""

    filter: int
    direction: str
    channels_first: bool


class TransposedFilters:
    """Transposes filters to the latest layouts of convolutions: `transpose(xp, *filters)`, an array per order."""

    def __init__(self, orders: Sequence[FilterOrder]):
        self._orders = tuple(orders)

    def __call__(self, xp: ModuleType, *filters: Array) -> list[Array] | Array:
        gpu = gpu_in_use()
        choices = None if gpu is None else gpu.convolutions
        selections = []
        for index, direction, channels_first in self._orders:
            if choices is not None:
                channels_first = choices.last_order(direction, filters[index], channels_first)
            selections.append((index, channels_first))
        unique = list(dict.fromkeys(selections))
        arrays = to_cudnn_filters(
            xp, [filters[index] for index, _ in unique], [first for _, first in unique]
        )
        arrays_by_order = dict(zip(unique, arrays))
        result = [arrays_by_order[selection] for selection in selections]
        return result if len(result) > 1 else result[0]
