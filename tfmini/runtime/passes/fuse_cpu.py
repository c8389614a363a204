"""fuse_cpu: trees of elementwise ops on large arrays become one node, evaluated in cache-sized blocks.

A node joins the one that reads it if nobody else does. What is known to be small stays as it is: there a line of the
plan for each op is the fastest form. On GPUs it is otherwise: see `fuse_gpu.py`.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini import dtypes
from tfmini.backend.native.programs import operations
from tfmini.runtime.analysis.uses import Uses
from tfmini.runtime.passes.blocks import Blocks
from tfmini.runtime.passes.fuse_gpu import fused_node, is_on_gpu
from tfmini.runtime.passes.fused_kernels import RECIPES
from tfmini.runtime.program.program import BlockStep, Node, Program

_LARGE = 1 << 16  # elements


def fuse_cpu(program: Program) -> Program:
    """Returns the program with groups of elementwise nodes replaced by one node of kind "fused"."""
    readers = Uses(program.nodes).readers
    kept_apart = {*program.fetches, *(p for node in program.nodes for p, _ in node.guard)}
    group_of: dict[int, list[Node]] = {}  # id of a group's last node -> its nodes in order
    joined: set[int] = set()
    for node in program.nodes:
        if not _suits(node, program):
            continue
        members: list[Node] = []
        for slot in dict.fromkeys(node.inputs):
            source = group_of.get(slot)
            if source is None or slot in kept_apart or len(set(map(id, readers[slot]))) > 1:
                continue
            if _goes_with(source[-1], node) and program.slots[slot].dims == _dims(node, program):
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
        _fused(roots[id(n)], program) if id(n) in roots else n
        for n in program.nodes
        if id(n) not in inner
    ]
    return program


# Ops that are several ufuncs; without the native library their own kernels take fewer passes.
_RECIPES = {
    name: RECIPES[name]
    for name in (
        "Relu",
        "ReluGrad",
        "Sigmoid",
        "SigmoidGrad",
        "TanhGrad",
        "Rsqrt",
        "SquaredDifference",
    )
}


def _recipe(node: Node) -> tuple[tuple, ...]:
    """A node's op as ufuncs; none if it does not fuse."""
    if node.opdef.ufunc:
        return ((node.opdef.ufunc, "x", "y")[: 1 + len(node.inputs)],)
    return _RECIPES.get(node.opdef.name, ()) if operations() else ()


def _goes_with(source: Node, node: Node) -> bool:
    return source.guard == node.guard and source.device == node.device


def _dims(node: Node, program: Program) -> tuple | None:
    return program.slots[node.outputs[0]].dims


def _suits(node: Node, program: Program) -> bool:
    """Whether it is an elementwise op on floats that may be large, of inputs of its own shape and scalars."""
    if node.kind != "op" or is_on_gpu(node) or not _recipe(node):
        return False
    slot = program.slots[node.outputs[0]]
    if slot.dtype not in (dtypes.float32, dtypes.float64) or not slot.dims:
        return False
    dims: Any = slot.dims
    if None not in dims and math.prod(dims) < _LARGE:
        return False
    return all(
        program.slots[s].dtype == slot.dtype and program.slots[s].dims in (slot.dims, ())
        for s in node.inputs
    )


def _fused(group: list[Node], program: Program) -> Node:
    """The node that stands for a group; it evaluates them in blocks."""
    made = {n.outputs[0]: n for n in group}
    inputs = tuple(dict.fromkeys(s for n in group for s in n.inputs if s not in made))
    constants, ufuncs = _ufuncs(group, inputs)
    steps, buffers = _with_buffers(ufuncs, len(inputs) + len(constants))
    result = program.slots[group[-1].outputs[0]]
    whole = [i for i, s in enumerate(inputs) if program.slots[s].dims == result.dims]
    dtype = result.dtype.as_numpy_dtype
    blocks = Blocks(steps, buffers, dtype, len(inputs), whole, constants)
    return fused_node(group, inputs, group[-1].outputs, blocks, steps)


@dataclass(frozen=True)
class _Ufunc:
    """One operation of a group: its name, and the numbers of values as `BlockStep` has them."""

    name: str
    reads: tuple[int, ...]
    makes: int
    ends_node: bool


def _ufuncs(group: list[Node], inputs: tuple[int, ...]) -> tuple[list[float], list[_Ufunc]]:
    """The constants that a group reads behind its inputs, and its ufuncs in order."""
    recipes = [_recipe(node) for node in group]
    constants: list[float] = list(
        dict.fromkeys(
            operand
            for recipe in recipes
            for _, *operands in recipe
            for operand in operands
            if isinstance(operand, float)
        )
    )
    values = {slot: i for i, slot in enumerate(inputs)}
    numbers = itertools.count(len(inputs) + len(constants))
    ufuncs: list[_Ufunc] = []
    for node, recipe in zip(group, recipes):
        made: list[int] = []
        for name, *operands in recipe:
            reads = []
            for operand in operands:
                if isinstance(operand, float):
                    reads.append(len(inputs) + constants.index(operand))
                elif isinstance(operand, int):
                    reads.append(made[operand])
                else:
                    reads.append(values[node.inputs["xy".index(operand)]])
            made.append(next(numbers))
            ufuncs.append(_Ufunc(name, tuple(reads), made[-1], len(made) == len(recipe)))
        values[node.outputs[0]] = made[-1]
    return constants, ufuncs


def _with_buffers(ufuncs: list[_Ufunc], inputs: int) -> tuple[list[BlockStep], int]:
    """The operations as steps on as few buffers as hold what is still read, and their number."""
    last_read = {value: i for i, each in enumerate(ufuncs) for value in each.reads}
    location = {value: ("input", value) for value in range(inputs)}
    free: list[int] = []
    buffers = 0
    steps = []
    for number, each in enumerate(ufuncs):
        sources = tuple(location[value] for value in each.reads)
        free += [
            index
            for value, (kind, index) in dict(zip(each.reads, sources)).items()
            if kind == "buffer" and last_read[value] == number
        ]
        if number + 1 == len(ufuncs):
            target = "result", 0
        elif free:
            target = "buffer", free.pop()
        else:
            target = "buffer", buffers
            buffers += 1
        location[each.makes] = target
        ufunc = getattr(np, each.name)
        steps.append(BlockStep(ufunc, sources, target, each.reads, each.makes, each.ends_node))
    return steps, buffers
