"""fuse_native: fuses consecutive elementwise nodes on a CPU into one call of the native library.

`fusion_groups.py` forms the groups, as on devices: a cell's gates with their gradients, a chain, a loss formula. On
small arrays a call costs about ten NumPy calls; on large arrays it saves passes through memory. Parts of a Split are
read in place, and concat operands are written directly into the result. If a result is only summed, over rows or over
all elements, only the sums are written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.fusion.elementwise_groups import (
    Ufunc,
    assign_buffers,
    group_ufuncs,
    inputs_and_results,
    shapes_read_as_matrices,
)
from tfmini._src.compiler.fusion.fusion_groups import (
    Group,
    Limits,
    find_groups,
    merge_sibling_groups,
)
from tfmini._src.compiler.fusion.native_group import (
    PASS_MICROSECONDS,
    NativeGroup,
    Operand,
    RowSum,
    TotalResult,
)
from tfmini._src.compiler.fusion.parts_in_place import (
    joins_after,
    splits_before,
    sums_after,
    tiles_before,
    totals_after,
)
from tfmini._src.compiler.program.fused_node import fused_node
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.host.native.elementwise_program import (
    SUMMED_COLUMNS,
    element_kind,
    max_registers,
    operations,
)
from tfmini._src.devices.host.native.library import build_name
from tfmini._src.devices.host.native.operation_costs import (
    MIN_ONE_PASS,
    MIN_SERIES,
    MIN_SLOW,
    Doubles,
    operation_cost,
)
from tfmini._src.devices.numpy.matrix_strides import SHORT_ROW_COLUMNS
from tfmini._src.graph.op_traits.elementwise_formula import Step, Steps, ufunc_step

_LIMITS = Limits(inputs=32, members=4096)
# Measured costs in microseconds: a ufunc call, a call of a native program, a Split or ConcatV2.
_UFUNC_COST, _PROGRAM_COST, _SPLIT_OR_CONCAT_COST = 0.35, 4.0, 3.0
# Minimum element counts for sums of rows, for totals, and for totals of batches of unknown size.
_MIN_SUMMED_ELEMENTS, _MIN_TOTALED_ELEMENTS, _MIN_BATCH_SUMMED_ELEMENTS = 1 << 13, 1 << 15, 1 << 9


def fuse_native(program: Program) -> Program:
    """Returns the program with groups of elementwise nodes replaced by one node of kind "fused"."""
    return group_program(program) if operations() else program


def group_program(program: Program, any_size: bool = False) -> Program:
    """Groups the program for the native library; with `any_size`, also nodes too small for a separate call."""
    uses = Uses(program.nodes)
    nodes: dict[int, Node] = {}
    inner: set[int] = set()
    early_axes: set[int] = set()  # axes of concats and sums, moved before the group
    groups = find_groups(program, lambda node: fusion_key(node, program), _LIMITS)
    large = [group for group in groups if _is_large(group)]
    if len(large) > 1:  # merging saves passes over memory
        large = merge_sibling_groups(large, program, _LIMITS)
        groups = [group for group in groups if not _is_large(group)] + large
    for group in groups:
        members = group.nodes
        splits = splits_before(members, program, uses) + tiles_before(members, program, uses)
        join_nodes = joins_after(members, program, uses)
        sums = {} if any_size else _group_sums(group, program, uses)
        is_single = len(members) == 1 and not splits and not sums and not any_size
        if is_single and _is_left_alone(members[0], program):
            continue
        fused = _fuse_group(members, splits, join_nodes, sums, program, uses.readers, any_size)
        if fused is not None:
            nodes[id(members[-1])] = fused
            inner.update(id(node) for node in (*splits, *members[:-1], *join_nodes, *sums))
            axes_slots = (slot for node in (*join_nodes, *sums) for slot in node.inputs[1:][-1:])
            early_axes.update(id(uses.producer[slot]) for slot in axes_slots)
    excluded_axes = inner | early_axes
    program.nodes = [
        *(n for n in program.nodes if id(n) in early_axes),
        *(nodes.get(id(n), n) for n in program.nodes if id(n) not in excluded_axes),
    ]
    return program


def _is_large(group: Group) -> bool:
    dims: Any = group.key[0]
    return None not in dims and math.prod(dims) >= MIN_ONE_PASS


def _group_sums(group: Group, program: Program, uses: Uses) -> dict[Node, RowSum | TotalResult]:
    """Returns the sums that a group computes; none for few elements, which stay in a cache between two calls."""
    dims: Any
    dims, dtype, *_ = group.key
    size = math.prod(d for d in dims if d is not None)
    if dtype is dtypes.float16 or None not in dims and size < _MIN_SUMMED_ELEMENTS:
        return {}
    is_large = size >= (_MIN_BATCH_SUMMED_ELEMENTS if None in dims else _MIN_TOTALED_ELEMENTS)
    totals = totals_after(group.nodes, program, uses) if is_large else ()
    rows = sums_after(group.nodes, SUMMED_COLUMNS, program, uses)
    return {
        **{node: TotalResult.from_node(node, len(dims)) for node in totals},
        **{node: RowSum.from_node(node, dims[-1]) for node in rows},
    }


def _is_left_alone(node: Node, program: Program) -> bool:
    """Whether a node is a single NumPy pass over too few elements for a separate call."""
    formula = native_formula(node)
    if len(formula) > 1:
        return False
    dims: Any = program.slots[node.outputs[0]].dims
    if shapes_read_as_matrices(node, program):
        min_elements = operation_cost(formula[0][0]).min_elements
    else:
        min_elements = MIN_SLOW
    return min_elements > MIN_SERIES if None in dims else math.prod(dims) < min_elements


def fusion_key(node: Node, program: Program) -> tuple[object, ...] | None:
    """Returns the key shared by all nodes of a fusion group; None for a node that cannot be in a group."""
    if node.kind != "op" or not program.on_host(node) or not native_formula(node):
        return None
    slots = [program.slots[slot] for slot in (*node.outputs, *node.inputs)]
    types = {slot.dtype for slot in slots} - {dtypes.bool}
    if len(types) > 1 or not types <= {dtypes.float16, dtypes.float32, dtypes.float64}:
        return None
    dims = slots[0].dims
    if not types or not dims:
        return None
    if not shapes_read_as_matrices(node, program) and not _broadcasts_short_rows(node, program):
        return None
    if node.opdef.name == "Select" and any(slot.dims != dims for slot in slots):
        return None  # not elementwise: the condition selects rows
    if dtypes.float64 in types and not _is_for_doubles(native_formula(node)):
        return None
    if dtypes.float16 in types and build_name() == "v4" and node.opdef.ufunc:
        if operation_cost(node.opdef.ufunc).numpy_has_halves:
            return None
    if node.opdef.name.startswith("BiasAdd") and not _is_column_bias(node, program):
        return None
    return dims, types.pop(), node.device, node.guard


def _is_for_doubles(formula: Steps) -> bool:
    support = {operation_cost(name).doubles for name, *_ in formula}
    return Doubles.MISSING not in support and (
        build_name() != "v4" or Doubles.C_LIBRARY not in support
    )


def _broadcasts_short_rows(node: Node, program: Program) -> bool:
    """Whether inputs broadcast along several axes to rows too short for NumPy's speed: [n, 1, 2] and [1, m, 2]."""
    dims = [program.slots[slot].dims for slot in (*node.outputs, *node.inputs)]
    if any(dims is None or None in dims for dims in dims):
        return False
    result: Any = dims[0]
    columns: int = result[-1]
    return 1 < columns <= SHORT_ROW_COLUMNS and math.prod(result) >= MIN_SLOW


def _is_column_bias(node: Node, program: Program) -> bool:
    """Whether a BiasAdd is along the last axis and known not to fail."""
    dims, biases = (program.slots[slot].dims for slot in node.inputs)
    if not dims or biases in (None, (None,)) or not 2 <= len(dims) <= 5:
        return False
    return node.attrs.get("data_format") != "NCHW" and dims[-1:] == biases


def native_formula(node: Node) -> Steps:
    """Returns the native library steps of a node's op; empty if any step or the library is missing."""
    formula, ufunc, inputs, native_ops = (
        node.opdef.formula,
        node.opdef.ufunc,
        len(node.inputs),
        operations(),
    )
    if ufunc:
        steps = ufunc_step(ufunc, inputs)
    else:
        steps = () if formula is None else formula.cpu_steps(inputs, node.attrs)
    if steps and node.attrs.get("T") is dtypes.float16:
        steps = _round_each_step(steps)
    return steps if all(name in native_ops for name, *_ in steps) else ()


def _round_each_step(steps: Steps) -> Steps:
    """Returns the float16 steps, each rounded as in TensorFlow's kernels; empty if a kernel rounds within a step."""
    if any(operation_cost(name).rounds_between for name, *_ in steps):
        return ()

    def operand(value: object) -> object:
        if type(value) is float:
            return float(np.float16(value))
        return 2 * value + 1 if type(value) is int else value

    rounded: list[Step] = []
    for index, (name, *operands) in enumerate(steps):
        rounded += [(name, *map(operand, operands)), ("to_half", 2 * index)]
    return tuple(rounded)


def _fuse_group(
    members: list[Node],
    splits: list[Node],
    join_nodes: list[Node],
    sums: dict[Node, RowSum | TotalResult],
    program: Program,
    readers: dict[int, list[Node]],
    any_size: bool,
) -> Node | None:
    """Returns the fused node for a group; None if it is not profitable or needs too many registers."""
    read, _ = inputs_and_results(members, program, readers)
    group = [*splits, *members, *join_nodes, *sums]
    tiled = {node.outputs[0]: node.inputs[0] for node in splits if node.opdef.name == "Tile"}
    parts = {
        slot: (node.inputs[1], part, len(node.outputs))
        for node in splits
        if node.opdef.name == "Split"
        for part, slot in enumerate(node.outputs)
    }
    parts_read = [parts.get(slot, (tiled.get(slot, slot), 0, 1)) for slot in read]
    inputs = tuple(dict.fromkeys(slot for slot, *_ in parts_read))
    operands, outputs = inputs_and_results(group, program, readers)
    axes = [slot for slot in operands if slot not in inputs]
    wide_slots = [node.outputs[0] for node in join_nodes]
    separate = [slot for slot in outputs if slot not in wide_slots]
    summed = {node.outputs[0]: node.inputs[0] for node in sums}
    results = [
        *(s for n in join_nodes for s in n.inputs[:-1]),
        *(summed.get(s, s) for s in separate),
    ]
    constants, ufuncs, values = group_ufuncs(members, [native_formula(n) for n in members], read)
    dims: Any = program.slots[members[0].outputs[0]].dims
    smallest = 0 if any_size else _min_elements(ufuncs, len(group) - len(members))
    if None not in dims and math.prod(dims) < smallest:
        return None
    registers = len(read) + len(constants)
    steps, buffers = assign_buffers(ufuncs, registers, [values[slot] for slot in results])
    if registers + buffers + len(results) > max_registers():
        return None
    evaluate = NativeGroup(
        steps,
        buffers,
        [program.slots[slot].dtype.as_numpy_dtype for slot in results],
        operands=[
            Operand(
                inputs.index(slot),
                part,
                count,
                not program.slots[input_slot].dims,
                program.slots[input_slot].dims == dims,
                element_kind(program.slots[input_slot].dtype.as_numpy_dtype),
            )
            for input_slot, (slot, part, count) in zip([tiled.get(s, s) for s in read], parts_read)
        ],
        constants=constants,
        dtype=_group_dtype(members[0], program),
        wide=[len(node.inputs) - 1 for node in join_nodes],
        sums={len(wide_slots) + separate.index(n.outputs[0]): each for n, each in sums.items()},
        dims=dims,
        smallest=smallest,
    )
    return fused_node(group, (*inputs, *axes), (*wide_slots, *separate), evaluate, steps)


def _group_dtype(member: Node, program: Program) -> type:
    """Returns the dtype in which a group computes, as NumPy would choose it."""
    candidates = [program.slots[slot].dtype for slot in (*member.outputs, *member.inputs)]
    dtype: type = next(dtype for dtype in candidates if dtype is not dtypes.bool).as_numpy_dtype
    return dtype


def _min_elements(ufuncs: Sequence[Ufunc], other_calls: int) -> int:
    """Returns the minimum element count at which a native program beats NumPy's calls, including Split and ConcatV2."""
    costs = [operation_cost(ufunc.name) for ufunc in ufuncs]
    is_single = len(costs) == 1
    min_elements = min(
        MIN_ONE_PASS if cost.masks and not is_single else cost.min_elements for cost in costs
    )
    calls = sum(cost.numpy_calls for cost in costs)
    saved = _PROGRAM_COST - _SPLIT_OR_CONCAT_COST * other_calls
    return min(min_elements, max(0, math.ceil((saved / calls - _UFUNC_COST) / PASS_MICROSECONDS)))
