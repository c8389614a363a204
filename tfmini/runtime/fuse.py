"""fuse: trees of elementwise ops become one node.

On the CPU those on large arrays, evaluated in cache-sized blocks; what is known to be small stays as it is: there a
line of the plan for each op is the fastest form. On a GPU any two, as one kernel, for it saves a launch. A node joins
the one that reads it if nobody else does.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini import dtypes
from tfmini.runtime.blocks import Blocks, BlockStep
from tfmini.runtime.fused_kernels import MOST_INPUTS, GroupKernel, RectifiedBias, recipe_of
from tfmini.runtime.program import Node, Program

_LARGE = 1 << 16  # elements


def fuse(program: Program) -> Program:
    """Returns the program with groups of elementwise nodes replaced by one node of kind "fused"."""
    readers: dict[int, list[Node]] = {}
    for node in program.nodes:
        for slot in node.inputs:
            readers.setdefault(slot, []).append(node)
    kept_apart = {*program.fetches, *(p for node in program.nodes for p, _ in node.guard)}
    group_of: dict[int, list[Node]] = {}  # by the slot of its result, a group's nodes in order
    joined: set[int] = set()
    biases: dict[int, Node] = {}
    for node in program.nodes:
        if _is_on_gpu(node) and node.kind == "op" and node.opdef.name in ("BiasAdd", "BiasAddV1"):
            biases[node.outputs[0]] = node
        if not _suits(node, program):
            continue
        members: list[Node] = []
        for slot in dict.fromkeys(node.inputs):
            source = group_of.get(slot)
            if source is None or slot in kept_apart or len(set(map(id, readers[slot]))) > 1:
                continue
            if _goes_with(source[-1], node) and program.slots[slot].dims == _dims(node, program):
                if _is_on_gpu(node) and _inputs([*members, *source, node]) > MOST_INPUTS:
                    continue
                members += source
                joined.add(slot)
        group_of[node.outputs[0]] = [*members, node]
    roots = {
        id(group[-1]): group
        for slot, group in group_of.items()
        if slot not in joined and _pays(group)
    }
    nodes = {key: _fused(group, program) for key, group in roots.items()}
    inner = {id(n) for group in roots.values() for n in group[:-1]}
    for slot, group in group_of.items():
        relu = group[-1]
        bias = biases.get(relu.inputs[0])
        if bias is None or len(group) > 1 or slot in joined or id(relu) in roots:
            continue
        is_read_once = len(readers[bias.outputs[0]]) == 1 and bias.outputs[0] not in kept_apart
        if is_read_once and _goes_with(bias, relu) and RectifiedBias.suits(relu, bias):
            nodes[id(relu)] = _node([bias, relu], bias.inputs, RectifiedBias(bias))
            inner.add(id(bias))
    program.nodes = [nodes.get(id(n), n) for n in program.nodes if id(n) not in inner]
    return program


def _is_on_gpu(node: Node) -> bool:
    return "/device:GPU:" in node.device


def _pays(group: list[Node]) -> bool:
    """Whether one node is better than several: than several launches on a GPU."""
    return len(group) > 1 or (_is_on_gpu(group[0]) and len(recipe_of(group[0])) > 1)


def _inputs(group: list[Node]) -> int:
    """How many inputs a group has."""
    made = {n.outputs[0] for n in group}
    return len({s for n in group for s in n.inputs} - made)


def _goes_with(source: Node, node: Node) -> bool:
    return source.guard == node.guard and source.device == node.device


def _dims(node: Node, program: Program) -> tuple | None:
    return program.slots[node.outputs[0]].dims


def _suits(node: Node, program: Program) -> bool:
    """Whether it is an elementwise op on floats that may be large, of inputs of its own shape and scalars."""
    if node.kind != "op":
        return False
    on_gpu = _is_on_gpu(node)
    if not (recipe_of(node) if on_gpu else node.opdef.ufunc):
        return False
    slot = program.slots[node.outputs[0]]
    if slot.dtype not in (dtypes.float32, dtypes.float64) or slot.dims is None:
        return False
    dims: Any = slot.dims
    if not on_gpu and (not dims or (None not in dims and math.prod(dims) < _LARGE)):
        return False
    return all(
        program.slots[s].dtype == slot.dtype and program.slots[s].dims in (slot.dims, ())
        for s in node.inputs
    )


def _fused(group: list[Node], program: Program) -> Node:
    """The node that stands for a group; its value holds the group's nodes and how to evaluate them at once."""
    made = {n.outputs[0] for n in group}
    inputs = tuple(dict.fromkeys(s for n in group for s in n.inputs if s not in made))
    result = program.slots[group[-1].outputs[0]]
    dtype = result.dtype.as_numpy_dtype
    whole = [i for i, s in enumerate(inputs) if program.slots[s].dims == result.dims]
    if _is_on_gpu(group[0]):
        return _node(group, inputs, GroupKernel(group, inputs, dtype, whole))
    steps, buffers = _in_buffers(group, inputs)
    return _node(group, inputs, Blocks(steps, buffers, dtype, whole))


def _node(group: list[Node], inputs: tuple[int, ...], evaluate: Any) -> Node:
    last = group[-1]
    fused = Node("fused", last.origin, inputs, last.outputs)
    fused.guard = last.guard
    fused.device = last.device
    fused.controls = tuple(dict.fromkeys(c for n in group for c in n.controls))
    fused.value = (group, evaluate)
    return fused


def _in_buffers(group: list[Node], inputs: tuple[int, ...]) -> tuple[list[BlockStep], int]:
    """The steps of a group in as few buffers as they need, and how many those are."""
    last = group[-1]
    reads = {
        n.outputs[0]: max(i for i, m in enumerate(group) if n.outputs[0] in m.inputs)
        for n in group[:-1]
    }
    place: dict[int, tuple[str, int]] = {s: ("input", i) for i, s in enumerate(inputs)}
    free: list[int] = []
    buffers = 0
    steps = []
    for number, node in enumerate(group):
        operands = tuple(place[s] for s in node.inputs)
        free += [
            place[s][1] for s in dict.fromkeys(node.inputs) if s in reads and reads[s] == number
        ]
        slot = node.outputs[0]
        if node is last:
            place[slot] = ("result", 0)
        elif free:
            place[slot] = ("buffer", free.pop())
        else:
            place[slot] = ("buffer", buffers)
            buffers += 1
        steps.append(BlockStep(getattr(np, node.opdef.ufunc), operands, place[slot]))
    return steps, buffers
