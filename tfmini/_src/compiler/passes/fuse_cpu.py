"""fuse_cpu: fuses trees of elementwise ops on large arrays into one node, evaluated in cache-sized blocks.

A node joins its only reader. Small arrays are not fused: one plan line per op is fastest for them. Other devices, and
CPUs with the native library (`fuse_native.py`), fuse differently.
"""

from __future__ import annotations

import math
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.fusion.cache_blocking import Blocks
from tfmini._src.compiler.fusion.elementwise_groups import assign_buffers, group_ufuncs
from tfmini._src.compiler.program.fused_node import fused_node
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.graph.op_traits.elementwise_formula import Steps, ufunc_step

_MIN_FUSED_ELEMENTS = 1 << 16


def fuse_cpu(program: Program) -> Program:
    """Returns the program with groups of elementwise nodes replaced by one node of kind "fused"."""
    readers = Uses(program.nodes).readers
    unfused_slots = {*program.fetches, *(p for node in program.nodes for p, _ in node.guard)}
    group_of: dict[int, list[Node]] = {}  # id of a group's last node -> its nodes in order
    joined: set[int] = set()
    for node in program.nodes:
        if not _is_fusible(node, program):
            continue
        members: list[Node] = []
        for slot in dict.fromkeys(node.inputs):
            source = group_of.get(slot)
            if source is None or slot in unfused_slots or len(set(map(id, readers[slot]))) > 1:
                continue
            if _runs_with(source[-1], node) and program.slots[slot].dims == _first_output_dims(
                node, program
            ):
                members += source
                joined.add(slot)
        group_of[node.outputs[0]] = [*members, node]
    roots = {
        id(group[-1]): group
        for slot, group in group_of.items()
        if slot not in joined and len(group) > 1
    }
    inner = {id(n) for group in roots.values() for n in group[:-1]}
    program.nodes = [
        _fuse_group(roots[id(n)], program) if id(n) in roots else n
        for n in program.nodes
        if id(n) not in inner
    ]
    return program


def _formula(node: Node) -> Steps:
    """Returns a node's op as one ufunc; empty if it is not fused, as kernels of several ufuncs make fewer passes."""
    ufunc = node.opdef.ufunc
    return ufunc_step(ufunc, len(node.inputs)) if ufunc else ()


def _runs_with(source: Node, node: Node) -> bool:
    return source.guard == node.guard and source.device == node.device


def _first_output_dims(node: Node, program: Program) -> tuple[int | None, ...] | None:
    return program.slots[node.outputs[0]].dims


def _is_fusible(node: Node, program: Program) -> bool:
    """Whether a node is an elementwise op on potentially large floats, whose inputs have its shape or are scalars."""
    if node.kind != "op" or not program.on_host(node) or not _formula(node):
        return False
    slot = program.slots[node.outputs[0]]
    if slot.dtype not in (dtypes.float32, dtypes.float64) or not slot.dims:
        return False
    dims: Any = slot.dims
    if None not in dims and math.prod(dims) < _MIN_FUSED_ELEMENTS:
        return False
    return all(
        program.slots[s].dtype == slot.dtype and program.slots[s].dims in (slot.dims, ())
        for s in node.inputs
    )


def _fuse_group(group: list[Node], program: Program) -> Node:
    """Returns the node that replaces a group and evaluates it in blocks."""
    internal_nodes = {n.outputs[0]: n for n in group}
    inputs = tuple(dict.fromkeys(s for n in group for s in n.inputs if s not in internal_nodes))
    _, ufuncs, values = group_ufuncs(group, [_formula(node) for node in group], inputs)
    steps, buffers = assign_buffers(ufuncs, len(inputs), [values[group[-1].outputs[0]]])
    result = program.slots[group[-1].outputs[0]]
    full_sized = [i for i, s in enumerate(inputs) if program.slots[s].dims == result.dims]
    blocks = Blocks(steps, buffers, result.dtype.as_numpy_dtype, full_sized)
    return fused_node(group, inputs, group[-1].outputs, blocks, steps)
