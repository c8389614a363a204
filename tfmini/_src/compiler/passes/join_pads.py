"""join_pads: rewrites a sum of zero-padded, non-overlapping matrices as their concatenation.

The gradient of slices that cover an array is such a sum: each slice's gradient is padded to the size of the whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.program.program import Constant, Node, Program
from tfmini._src.graph import op_registry


def join_pads(program: Program) -> Program:
    """Replaces each AddN of such Pads, if it is their only reader, with a ConcatV2; returns the program."""
    uses = Uses(program.nodes)
    replaced: dict[int, list[Node]] = {}
    for node in program.nodes:
        if node.kind == "op" and node.opdef.name == "AddN":
            pads = [uses.producer.get(slot) for slot in node.inputs]
            axis, parts = _adjacent_inputs(node, pads, program, uses)
            if parts:
                replaced[id(node)] = _join_pads(node, axis, parts, program)
                replaced.update((id(pad), []) for pad in pads)
    if replaced:
        program.nodes = [new for node in program.nodes for new in replaced.get(id(node), [node])]
    return program


def _adjacent_inputs(
    total: Node, pads: list[Node | None], program: Program, uses: Uses
) -> tuple[int, list[int]]:
    """Returns the axis along which the Pads' inputs are adjacent, and the inputs in order; none if they are not."""
    total_dims = program.slots[total.outputs[0]].dims
    if len(pads) < 2 or not total_dims or total.controls:
        return 0, []
    extents: list[tuple[int, int, int]] = []  # begin, end and slot of each part
    axes = set()
    for pad in pads:
        if pad is None or pad.kind != "op" or pad.opdef.name != "Pad" or pad.controls:
            return 0, []
        if pad.guard != total.guard or pad.device != total.device or id(pad) in uses.awaited_ids:
            return 0, []
        paddings, size = uses.producer.get(pad.inputs[1]), program.slots[pad.inputs[0]].dims
        if paddings is None or paddings.kind != "const" or size is None:
            return 0, []
        if uses.only_reader(pad.outputs[0]) is not total or pad.outputs[0] in program.fetches:
            return 0, []
        is_padded: Any = np.asarray(paddings.constant)
        (padded_axes,) = np.nonzero(is_padded.any(1))
        length = size[padded_axes[0]] if len(padded_axes) == 1 else None
        if not isinstance(length, int):
            return 0, []
        axes.add(int(padded_axes[0]))
        first = int(is_padded[padded_axes[0], 0])
        extents.append((first, first + length, pad.inputs[0]))
    extents.sort()
    bounds = [0, *(end for _, end, _ in extents)]
    if len(axes) > 1 or [begin for begin, _, _ in extents] != bounds[:-1]:
        return 0, []
    axis = axes.pop()
    return (axis, [slot for *_, slot in extents]) if bounds[-1] == total_dims[axis] else (0, [])


def _join_pads(total: Node, axis: int, parts: list[int], program: Program) -> list[Node]:
    slot = program.new_slot(dtypes.int32, ())
    axis_node = Node("const", total.origin, (), (slot,), payload=Constant(np.int32(axis)))
    join = Node("op", total.origin, (*parts, slot), total.outputs)
    join.opdef = op_registry.opdef("ConcatV2")
    join.attrs = {"N": len(parts), "T": total.attrs["T"], "Tidx": dtypes.int32}
    for node in (axis_node, join):
        node.guard, node.device = total.guard, total.device
    return [axis_node, join]
