"""Eliminates nodes around an elementwise group: reads parts and tiles in place, writes results side by side, or writes
only their sums.
"""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.fusion.elementwise_groups import reads_as_matrix
from tfmini._src.compiler.program.program import Dims, Node, Program


def splits_before(members: list[Node], program: Program, uses: Uses) -> list[Node]:
    """Returns the Splits along the last axis whose parts are read only by these members."""
    return [
        node
        for node in _read_only_by(members, program, uses)
        if node.kind == "op"
        and node.opdef.name == "Split"
        and _is_along_last_axis(node, node.outputs[0], node.inputs[0], members[0], program, uses)
    ]


def tiles_before(members: list[Node], program: Program, uses: Uses) -> list[Node]:
    """Returns the Tiles of rows or columns, read only by these members, that can be replaced by their inputs."""
    return [
        node
        for node in _read_only_by(members, program, uses)
        if node.kind == "op"
        and node.opdef.name == "Tile"
        and (node.guard, node.device) == (members[0].guard, members[0].device)
        and not node.controls
        and _broadcasts(*(program.slots[slot].dims for slot in (node.inputs[0], node.outputs[0])))
    ]


def _broadcasts(dims: Dims | None, result: Dims | None) -> bool:
    """Whether a tile of these static shapes repeats only axes of size 1, as rows or columns of a matrix."""
    if not dims or result is None or None in (*dims, *result) or len(dims) != len(result):
        return False
    return all(d in (1, size) for d, size in zip(dims, result)) and reads_as_matrix(dims, result)


def _read_only_by(members: list[Node], program: Program, uses: Uses) -> list[Node]:
    """Returns the producers of inputs, all of whose results are read by these members alone."""
    member_ids = {id(node) for node in members}
    sources = [uses.producer.get(slot) for node in members for slot in node.inputs]
    return [
        node
        for node in dict.fromkeys(source for source in sources if source is not None)
        if id(node) not in member_ids
        and not any(slot in program.fetches for slot in node.outputs)
        and all(
            id(reader) in member_ids
            for slot in node.outputs
            for reader in uses.readers.get(slot, ())
        )
    ]


def joins_after(members: list[Node], program: Program, uses: Uses) -> list[Node]:
    """Returns the ConcatV2s along the last axis that are the only readers of these members' results."""
    outputs = {node.outputs[0] for node in members} - {*program.fetches}
    readers = [uses.only_reader(slot) for slot in outputs]
    return [
        node
        for node in dict.fromkeys(reader for reader in readers if reader is not None)
        if node.kind == "op"
        and node.opdef.name == "ConcatV2"
        and _is_along_last_axis(node, node.outputs[0], node.inputs[-1], members[0], program, uses)
        and all(slot in outputs and uses.only_reader(slot) is node for slot in node.inputs[:-1])
        and not node.controls
    ]


def sums_after(
    members: list[Node], columns: Container[int], program: Program, uses: Uses
) -> list[Node]:
    """Returns the Sums and Means over a last axis (static size in `columns`) that are these members' only readers."""
    return [
        node
        for node in _only_readers(members, program, uses)
        if node.opdef.name in ("Sum", "Mean")
        and _is_along_last_axis(node, node.inputs[0], node.inputs[1], members[0], program, uses)
        and len(dims := program.slots[node.inputs[0]].dims or ()) > 1
        and dims[-1] in columns
    ]


def totals_after(members: list[Node], program: Program, uses: Uses) -> list[Node]:
    """Returns the Sums and Means over all axes, and L2Losses, that are the only readers of these members' results."""
    return [
        node
        for node in _only_readers(members, program, uses)
        if node.opdef.name == "L2Loss"
        or (node.opdef.name in ("Sum", "Mean") and _is_over_all_axes(node, program, uses))
    ]


def _only_readers(members: list[Node], program: Program, uses: Uses) -> list[Node]:
    """Returns the ops that are the only readers of a result and can run where the members do."""
    outputs = [node.outputs[0] for node in members if node.outputs[0] not in program.fetches]
    readers = [uses.only_reader(slot) for slot in outputs]
    return [
        node
        for node in readers
        if node is not None
        and node.kind == "op"
        and (node.guard, node.device) == (members[0].guard, members[0].device)
        and not node.controls
    ]


def _is_over_all_axes(node: Node, program: Program, uses: Uses) -> bool:
    dims, axes = program.slots[node.inputs[0]].dims, uses.producer.get(node.inputs[1])
    if not dims or axes is None or axes.kind != "const":
        return False
    indices = np.reshape(axes.constant, -1).tolist()
    return sorted(n % len(dims) for n in indices) == list(range(len(dims)))


def _is_along_last_axis(
    node: Node, array: int, axis: int, member: Node, program: Program, uses: Uses
) -> bool:
    """Whether a node next to a group's member works along the last axis of slot `array`; slot `axis` holds the axis."""
    if node.guard != member.guard or node.device != member.device:
        return False
    dims, axis_node = program.slots[array].dims, uses.producer.get(axis)
    if not dims or axis_node is None or axis_node.kind != "const":
        return False
    return np.reshape(axis_node.constant, -1).tolist() in ([-1], [len(dims) - 1])
