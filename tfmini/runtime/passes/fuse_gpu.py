"""fuse_gpu: elementwise nodes on a GPU that follow each other become one node, and one launch.

A group takes in each node that reads from it, until something else does: all of it runs where its last node stood,
so nothing before may need a part of it. What is read outside are its results. Inputs may broadcast. Groups that the
same node ends become one if they have an input in common: the gates of a cell, whose gradients are joined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tfmini import dtypes
from tfmini.runtime.analysis.uses import Uses
from tfmini.runtime.passes.fused_kernels import GroupKernel, RectifiedBias, recipe_of
from tfmini.runtime.program.program import BlockStep, FusedGroup, Node, Program

# What a kernel can take before its registers are short.
_MOST_INPUTS = 32
_MOST_MEMBERS = 40
# By itself such a node has a kernel of its own, with nothing to compile for it.
_ONE_LAUNCH = frozenset({"ReluGrad"})


@dataclass(eq=False)
class _Group:
    """Nodes that have the same shape, dtype, device and condition."""

    key: tuple
    members: list[tuple[int, Node]] = field(
        default_factory=list
    )  # with their positions in the program
    inputs: set[int] = field(default_factory=set)
    made: set[int] = field(default_factory=set)
    is_open: bool = True
    merged: _Group | None = None

    def found(self) -> _Group:
        """The group that it has become part of, or itself."""
        group = self
        while group.merged is not None:
            group = group.merged
        return group

    def take_in(self, other: _Group) -> None:
        self.members += other.members
        self.inputs = (self.inputs | other.inputs) - self.made - other.made
        self.made |= other.made
        other.merged = self

    def takes(self, other: _Group) -> bool:
        """Whether both together are not too large."""
        inputs = (self.inputs | other.inputs) - self.made - other.made
        return (
            len(inputs) <= _MOST_INPUTS and len(self.members) + len(other.members) <= _MOST_MEMBERS
        )


def fuse_gpu(program: Program) -> Program:
    """Returns the program with groups of elementwise nodes on GPUs replaced by one node of kind "fused"."""
    if not any(is_on_gpu(node) for node in program.nodes):
        return program
    groups = _groups(program)
    readers = Uses(program.nodes).readers
    nodes: dict[int, Node] = {}
    inner: set[int] = set()
    biases = {n.outputs[0]: n for n in program.nodes if RectifiedBias.begins(n) and is_on_gpu(n)}
    for group in groups:
        members = [node for _, node in sorted(group.members, key=lambda m: m[0])]
        last = members[-1]
        if len(members) > 1 or (len(recipe_of(last)) > 1 and last.opdef.name not in _ONE_LAUNCH):
            nodes[id(last)] = _fused(members, program, readers)
            inner.update(id(n) for n in members[:-1])
            continue
        bias = biases.get(last.inputs[0])
        if bias is None or last.opdef.name != "Relu" or len(readers[bias.outputs[0]]) > 1:
            continue
        if bias.outputs[0] not in program.fetches and _key(bias, program) == group.key:
            nodes[id(last)] = fused_node(
                [bias, last], bias.inputs, last.outputs, RectifiedBias(bias)
            )
            inner.add(id(bias))
    program.nodes = [nodes.get(id(n), n) for n in program.nodes if id(n) not in inner]
    return program


def is_on_gpu(node: Node) -> bool:
    return "/device:GPU:" in node.device


def fused_node(
    members: list[Node],
    inputs: tuple[int, ...],
    outputs: tuple[int, ...],
    evaluate: Any,
    steps: Sequence[BlockStep] = (),
) -> Node:
    """The node that stands for a group; its payload holds them and how to evaluate them at once."""
    last = members[-1]
    fused = Node("fused", last.origin, inputs, outputs)
    fused.guard, fused.device = last.guard, last.device
    fused.controls = tuple(dict.fromkeys(c for n in members for c in n.controls))
    fused.payload = FusedGroup(tuple(members), evaluate, tuple(steps))
    return fused


def _groups(program: Program) -> list[_Group]:
    """The groups of all elementwise nodes on GPUs, also those of one node."""
    groups: list[_Group] = []
    by_slot: dict[int, _Group] = {}
    by_node: dict[int, _Group] = {}
    for position, node in enumerate(program.nodes):
        sources = [by_slot[s] for s in node.inputs if s in by_slot]
        sources += [by_node[id(c)] for c in node.controls if id(c) in by_node]
        known = list(dict.fromkeys(group.found() for group in sources))
        mine = None
        if _suits(node, program):
            mine = _Group(
                _key(node, program), [(position, node)], set(node.inputs), {node.outputs[0]}
            )
            groups.append(mine)
            by_slot[node.outputs[0]] = by_node[id(node)] = mine
        ended = []
        for group in known:
            if mine is not None and group.is_open and group.key == mine.key and mine.takes(group):
                mine.take_in(group)
            elif group.is_open:
                ended.append(group)
        _end(ended)
    return [group for group in groups if group.merged is None]


def _end(groups: list[_Group]) -> None:
    """Closes groups that one node ends; those that read the same become one."""
    for number, group in enumerate(groups):
        for other in groups[:number]:
            if (
                other.merged is None
                and other.key == group.key
                and other.inputs & group.inputs
                and group.takes(other)
            ):
                group.take_in(other)
    for group in groups:
        group.is_open = False


def _key(node: Node, program: Program) -> tuple:
    slot = program.slots[node.outputs[0]]
    return slot.dims, slot.dtype, node.device, node.guard


def _suits(node: Node, program: Program) -> bool:
    """Whether it is an elementwise op on floats of a GPU whose result has some input's shape, or a known one."""
    if node.kind != "op" or not is_on_gpu(node) or not recipe_of(node):
        return False
    result = program.slots[node.outputs[0]]
    if result.dtype not in (dtypes.float32, dtypes.float64) or result.dims is None:
        return False
    inputs: list[Any] = [program.slots[s] for s in node.inputs]
    if any(slot.dtype != result.dtype or slot.dims is None for slot in inputs):
        return False
    if not all(_reads_as_matrix(slot.dims, result.dims) for slot in inputs):
        return False
    is_static = all(None not in slot.dims for slot in (result, *inputs))
    return is_static or any(slot.dims == result.dims for slot in inputs)


def _reads_as_matrix(dims: tuple, result: tuple) -> bool:
    """Whether an array of shape `dims` broadcasts to `result` along its last axis, all others, both or none."""
    missing = len(result) - len(dims)
    if missing < 0:
        return False
    pairs = list(zip((1,) * missing + dims, result))
    repeated = {d == 1 for d, size in pairs[:-1] if size != 1}
    return len(repeated) < 2


def _fused(members: list[Node], program: Program, readers: dict[int, list[Node]]) -> Node:
    made = {n.outputs[0] for n in members}
    inside = {id(n) for n in members}
    inputs = tuple(dict.fromkeys(s for n in members for s in n.inputs if s not in made))
    results = [
        n.outputs[0]
        for n in members[:-1]
        if n.outputs[0] in program.fetches
        or any(id(reader) not in inside for reader in readers.get(n.outputs[0], ()))
    ]
    outputs = (*results, members[-1].outputs[0])
    result = program.slots[outputs[-1]]
    dims = [program.slots[s].dims for s in inputs]
    whole = [i for i, d in enumerate(dims) if d == result.dims]
    broadcast = [i for i, d in enumerate(dims) if d and d != result.dims]
    kernel = GroupKernel(
        members, inputs, outputs, result.dtype.as_numpy_dtype, whole, broadcast, result.dims
    )
    return fused_node(members, inputs, outputs, kernel)
