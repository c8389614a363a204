"""Common parts of elementwise fusion on hosts and devices: a group's inputs, results, and operations."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.program import BlockStep, Dims, Node, Program
from tfmini._src.graph.op_traits.elementwise_formula import Steps


def inputs_and_results(
    members: Sequence[Node], program: Program, readers: dict[int, list[Node]]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns a group's input slots and the slots read outside it, of which the last is the last node's output."""
    internal_slots = {slot for n in members for slot in n.outputs}
    member_ids = {id(n) for n in members}
    inputs = tuple(dict.fromkeys(s for n in members for s in n.inputs if s not in internal_slots))
    results = [
        slot
        for n in members[:-1]
        for slot in n.outputs
        if slot in program.fetches
        or any(id(reader) not in member_ids for reader in readers.get(slot, ()))
    ]
    return inputs, (*results, members[-1].outputs[0])


def shapes_read_as_matrices(node: Node, program: Program) -> bool:
    """Whether the result has an input's shape or a static one, and the inputs broadcast to it as matrices."""
    result = program.slots[node.outputs[0]]
    inputs: list[Any] = [program.slots[s] for s in node.inputs]
    if result.dims is None or any(slot.dims is None for slot in inputs):
        return False
    if not all(reads_as_matrix(slot.dims, result.dims) for slot in inputs):
        return False
    is_static = all(None not in slot.dims for slot in (result, *inputs))
    return is_static or any(slot.dims == result.dims for slot in inputs)


def reads_as_matrix(dims: Dims, result: Dims) -> bool:
    """Whether an array of shape `dims` broadcasts to `result` along its last axis, all others, both or none."""
    missing = len(result) - len(dims)
    if missing < 0:
        return False
    pairs = list(zip((1,) * missing + dims, result))
    repeated = {d == 1 for d, size in pairs[:-1] if size != 1}
    return len(repeated) < 2


@dataclass(frozen=True)
class Ufunc:
    """One operation of a group: its name, and value numbers as in `BlockStep`."""

    name: str
    reads: tuple[int, ...]
    makes: int
    ends_node: bool


def group_ufuncs(
    group: Sequence[Node], formulas: Sequence[Steps], inputs: Sequence[int]
) -> tuple[list[float], list[Ufunc], dict[int, int]]:
    """Returns the constants that a group reads after its inputs, its ufuncs in order, and each slot's value number."""
    constants: list[float] = list(
        dict.fromkeys(
            operand
            for steps in formulas
            for _, *operands in steps
            for operand in operands
            if isinstance(operand, float)
        )
    )
    values = {slot: i for i, slot in enumerate(inputs)}
    unused = itertools.count(len(inputs) + len(constants))
    ufuncs: list[Ufunc] = []
    for node, steps in zip(group, formulas):
        registers: list[int] = []
        for name, *operands in steps:
            reads = []
            for operand in operands:
                if isinstance(operand, float):
                    reads.append(len(inputs) + constants.index(operand))
                elif isinstance(operand, int):
                    reads.append(registers[operand])
                else:
                    index = "xy".index(operand) if isinstance(operand, str) else operand[1]
                    reads.append(values[node.inputs[index]])
            registers.append(next(unused))
            ufuncs.append(Ufunc(name, tuple(reads), registers[-1], len(registers) == len(steps)))
        values[node.outputs[0]] = registers[-1]
    return constants, ufuncs, values


def assign_buffers(
    ufuncs: Sequence[Ufunc], inputs: int, results: Sequence[int]
) -> tuple[list[BlockStep], int]:
    """Converts the operations to steps on as few buffers as the live values allow; also returns the number of buffers.

    `results` are the numbers of the values read outside the group.
    """
    last_read = {value: i for i, operation in enumerate(ufuncs) for value in operation.reads}
    location = {value: ("input", value) for value in range(inputs)}
    free: list[int] = []
    buffers = 0
    steps = []
    for position, operation in enumerate(ufuncs):
        sources = tuple(location[value] for value in operation.reads)
        free += [
            index
            for value, (storage, index) in dict(zip(operation.reads, sources)).items()
            if storage == "buffer" and last_read[value] == position
        ]
        if operation.makes in results:
            target = "result", results.index(operation.makes)
        elif free:
            target = "buffer", free.pop()
        else:
            target = "buffer", buffers
            buffers += 1
        location[operation.makes] = target
        ufunc = getattr(np, operation.name, None)
        fields = operation.reads, operation.makes, operation.ends_node
        steps.append(BlockStep(ufunc, sources, target, *fields, operation.name))
    return steps, buffers
