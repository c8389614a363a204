"""fuse_rows: fuses reductions along the last axis and the elementwise nodes around them into one launch on a GPU.

An example is softmax with the nodes that compute its logits, or its gradient, which includes a sum. A group contains
values of one shape, and values with one element along the last axis. Its results are the values read outside the group.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.fusion.elementwise_groups import inputs_and_results
from tfmini._src.compiler.fusion.fusion_groups import Group, Limits, find_groups
from tfmini._src.compiler.program.fused_node import fused_node
from tfmini._src.compiler.program.program import Dim, Dims, Node, Program
from tfmini._src.devices.cuda.elementwise import gpu_formula
from tfmini._src.devices.cuda.fusion import Float16Operands
from tfmini._src.devices.cuda.passes.fuse_gpu import compute_dtype, is_on_gpu
from tfmini._src.devices.cuda.row_fusion import Operand, RowKernel, RowStep, one_block_per_row

_REDUCTIONS = {"Sum": "sum", "Mean": "mean", "Max": "max"}
_SOFTMAXES = ("Softmax", "LogSoftmax")
_COPIES = ("Reshape", "Tile")  # give values per row a last axis of one or all elements
_LATE_OPS = frozenset({"Sum", "Mean", "Max", "BiasAddGrad", "Reshape"})
_MAX_RANK = 4


def fuse_rows(program: Program) -> Program:
    """Replaces each group that contains a reduction by one node of kind "fused"; returns the program."""
    if not any(_may_reduce(node) for node in program.nodes):
        return program
    program.nodes = _delay_sums(program)
    rows = _Rows(program, Uses(program.nodes))
    nodes: dict[int, Node] = {}
    inner: set[int] = set()
    for group in find_groups(program, rows.key, _RowLimits(24, 40, rows)):
        members = rows.computing(group.nodes)
        if len(members) > 1:
            nodes[id(members[-1])] = rows.fuse(members)
            inner.update(id(node) for node in members[:-1])
    program.nodes = [nodes.get(id(n), n) for n in program.nodes if id(n) not in inner]
    return program


def _may_reduce(node: Node) -> bool:
    name = node.opdef.name
    return node.kind == "op" and is_on_gpu(node) and (name in _REDUCTIONS or name in _SOFTMAXES)


def _delay_sums(program: Program) -> list[Node]:
    """Returns the nodes reordered: a sum moves to its first reader, so that it does not end an earlier group."""
    readers = Uses(program.nodes).readers
    awaited_ids = Uses(program.nodes).awaited_ids
    order = {id(node): position for position, node in enumerate(program.nodes)}
    moved: dict[int, list[Node]] = {}
    unmoved: list[Node] = []
    for node in reversed(program.nodes):
        reader_nodes = [r for slot in node.outputs for r in readers.get(slot, ())]
        if (
            node.kind != "op"
            or node.opdef.name not in _LATE_OPS
            or not is_on_gpu(node)
            or not reader_nodes
            or id(node) in awaited_ids
            or node.guard
        ):
            unmoved.append(node)
            continue
        first = min(reader_nodes, key=lambda reader: order[id(reader)])
        order[id(node)] = order[id(first)]
        moved.setdefault(id(first), []).append(node)

    def with_moved(node: Node) -> list[Node]:
        moved_nodes = [
            moved_node
            for other in reversed(moved.get(id(node), ()))
            for moved_node in with_moved(other)
        ]
        return [*moved_nodes, node]

    return [moved_node for node in reversed(unmoved) for moved_node in with_moved(node)]


@dataclass(frozen=True)
class _RowLimits(Limits):
    """Group limits that also require rows of equal length."""

    rows: _Rows

    def allow(self, group: Group, other: Group) -> bool:
        lengths = {
            self.rows.length(node)
            for node_group in (group, other)
            for _, node in node_group.members
        }
        return len(lengths - {1}) <= 1 and super().allow(group, other)


class _Rows:
    """The nodes that a group may contain, and the node that replaces a group."""

    def __init__(self, program: Program, uses: Uses):
        self._program = program
        self._slots: list[Any] = program.slots
        self._uses = uses

    def _kernel_inputs(self, node: Node) -> tuple[int, ...]:
        """Returns the inputs that the kernel reads, which exclude a reduction's axes."""
        return node.inputs[:1] if self._has_axes(node) else node.inputs

    def _has_axes(self, node: Node) -> bool:
        return node.opdef.name in _REDUCTIONS or node.opdef.name in _COPIES

    def _row_slot(self, node: Node) -> int:
        """Returns the slot whose last axis is the node's row: the input of a reduction, the output of other nodes."""
        return node.inputs[0] if node.opdef.name in _REDUCTIONS else node.outputs[0]

    def length(self, node: Node) -> Dim:
        length: Dim = self._slots[self._row_slot(node)].dims[-1]
        return length

    def key(self, node: Node) -> tuple[object, ...] | None:
        """Returns the key shared by all nodes of a group; None for a node that cannot be in a group."""
        if node.kind != "op" or not is_on_gpu(node) or len(node.outputs) != 1:
            return None
        slot = self._slots[self._row_slot(node)]
        if slot.dims is None or not 2 <= len(slot.dims) <= _MAX_RANK or 0 in slot.dims:
            return None
        floats = [self._slots[s] for s in (*self._kernel_inputs(node), node.outputs[0])]
        float_dtypes = {compute_dtype(slot.dtype) for slot in floats}
        if float_dtypes not in ({dtypes.float32}, {dtypes.float64}) or not self._is_fusible_shape(
            node, slot.dims
        ):
            return None
        return slot.dims[:-1], float_dtypes.pop(), node.device, node.guard

    def _is_fusible_shape(self, node: Node, dims: Dims) -> bool:
        *leading, columns = dims
        if _may_reduce(node):
            sizes = [size for size in leading if isinstance(size, int)]
            count = math.prod(sizes) if len(sizes) == len(leading) else None
            if columns == 1 or not one_block_per_row(
                count, columns if isinstance(columns, int) else None
            ):
                return False
            return node.opdef.name in _SOFTMAXES or self._reduces_last(node, len(dims))
        if node.opdef.name in _COPIES:
            actual_shape = self._slots[node.inputs[0]].dims
            if node.opdef.name == "Tile":
                return bool(actual_shape == (*leading, 1)) and None not in dims
            producer = self._uses.producer.get(node.inputs[0])
            is_row_shape = columns == 1 and actual_shape == tuple(leading) and None not in leading
            return is_row_shape and producer is not None and producer.opdef.name in _REDUCTIONS
        if not gpu_formula(node):
            return False
        return all(_broadcasts(self._slots[s].dims, dims) for s in node.inputs)

    def _reduces_last(self, node: Node, rank: int) -> bool:
        axes = self._uses.producer.get(node.inputs[1])
        if axes is None or axes.kind != "const":
            return False
        return [axis % rank for axis in np.ravel(axes.constant).tolist()] == [rank - 1]

    def computing(self, members: list[Node]) -> list[Node]:
        """Returns the nodes that can be fused with a reduction, and each Reshape's reduction; empty if impossible."""
        if not any(map(_may_reduce, members)):
            return []
        read = {slot for node in members for slot in node.inputs}
        members = [n for n in members if n.opdef.name != "Reshape" or n.outputs[0] in read]
        result = {slot for node in members for slot in node.outputs}
        _, results = inputs_and_results(members, self._program, self._uses.readers)
        reshaped = [node for node in members if node.opdef.name == "Reshape"]
        is_separate = any(n.inputs[0] not in result or n.outputs[0] in results for n in reshaped)
        return [] if is_separate else members

    def fuse(self, members: list[Node]) -> Node:
        """Returns the node that replaces a group."""
        inputs, outputs = inputs_and_results(members, self._program, self._uses.readers)
        floats = dict.fromkeys(s for node in members for s in self._kernel_inputs(node))
        arguments = [slot for slot in inputs if slot in floats]
        values: dict[int, Operand] = {slot: ("input", i) for i, slot in enumerate(arguments)}
        steps: list[RowStep] = []
        for node in members:
            values[node.outputs[0]] = "step", self._add(steps, node, values)
        cached = {n.outputs[0]: n.attrs.get("keep_dims", True) for n in members}
        halves = (
            frozenset(i for i, s in enumerate(slots) if self._slots[s].dtype is dtypes.float16)
            for slots in (arguments, outputs)
        )
        kernel = RowKernel(
            steps,
            [values[slot][1] for slot in outputs],
            [cached[slot] for slot in outputs],
            [self._slots[slot].dims for slot in arguments],
            len(self._slots[self._row_slot(members[0])].dims),
            compute_dtype(self._slots[outputs[-1]].dtype).as_numpy_dtype,
            Float16Operands(*halves),
        )
        other_slots = [slot for slot in inputs if slot not in floats]
        return fused_node(members, (*arguments, *other_slots), outputs, kernel)

    def _add(self, steps: list[RowStep], node: Node, values: dict[int, Operand]) -> int:
        """Adds the steps of a node; returns the number of the last step."""
        operands = [values[slot] for slot in self._kernel_inputs(node)]
        add = partial(_add_step, steps)
        name = node.opdef.name
        if name in _REDUCTIONS:
            return add(_REDUCTIONS[name], operands[0], is_elementwise=False)
        if name in _SOFTMAXES:
            shifted = add(
                "subtract", operands[0], ("step", add("max", operands[0], is_elementwise=False))
            )
            powers = add("exp", ("step", shifted))
            total = add("sum", ("step", powers), is_elementwise=False)
            if name == "Softmax":
                return add("divide", ("step", powers), ("step", total))
            return add(
                "subtract",
                ("step", shifted),
                ("step", add("log", ("step", total), is_elementwise=False)),
            )
        formula = (("positive", "x"),) if name in _COPIES else gpu_formula(node)
        results: list[int] = []
        for ufunc, *positions in formula:
            step_operands = [_operand(position, operands, results) for position in positions]
            results.append(add(ufunc, *step_operands, is_elementwise=self.length(node) != 1))
        return results[-1]


def _add_step(
    steps: list[RowStep], name: str, *operands: Operand, is_elementwise: bool = True
) -> int:
    steps.append(RowStep(name, operands, is_elementwise))
    return len(steps) - 1


def _operand(operand: object, operands: Sequence[Operand], results: Sequence[int]) -> Operand:
    """Returns an operand of a formula's step, in the format of `ElementwiseFormula`."""
    if isinstance(operand, float):
        return "number", operand
    if isinstance(operand, int):
        return "step", results[operand]
    if isinstance(operand, str):
        return operands["xy".index(operand)]
    assert isinstance(operand, tuple)  # ("input", number)
    return operands[operand[1]]


def _broadcasts(dims: Dims | None, result: Dims) -> bool:
    """Whether an array of shape `dims` is known to broadcast to the sizes of the result, axis by axis."""
    if dims is None or len(dims) > len(result):
        return False
    return all(d in (1, size) for d, size in zip(dims, result[len(result) - len(dims) :]))
