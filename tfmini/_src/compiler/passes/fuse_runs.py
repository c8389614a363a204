"""fuse_runs: merges consecutive CPU nodes that work on the rows of matrices into one native library call.

A run consists of products with packed matrices, elementwise nodes and groups, concatenations and column slices, as in
the cells of a recurrent network or in consecutive layers. Its rows are divided among the threads once, not per node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.fusion.fusion_groups import Limits, find_groups
from tfmini._src.compiler.fusion.native_group import NativeGroup
from tfmini._src.compiler.passes.fuse_native import fusion_key, group_program
from tfmini._src.compiler.passes.pack_matmuls import PackedProduct, makes_runs
from tfmini._src.compiler.program.fused_node import fused_node
from tfmini._src.compiler.program.program import FusedGroup, Node, Program
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native import packed_matmul
from tfmini._src.devices.host.native.runs import COPY, GROUP, PRODUCT, NativeRun, Place, Stage
from tfmini._src.devices.host.threads import thread_count

# Limits on the inputs retained until a run ends: in an iteration, the inputs on stacks; in a program, the inputs of
# several later gradients.
_LIMITS, _LIMITS_IN_LOOP = Limits(inputs=120, members=8), Limits(inputs=120, members=48)
# Overheads in microseconds, excluding the computation: of a NumPy or separate native call, and of a run.
(
    _CALL_MICROSECONDS,
    _CONCAT_MICROSECONDS,
    _VIEW_MICROSECONDS,
    _UFUNC_MICROSECONDS,
    _RUN_MICROSECONDS,
) = (
    3.5,
    2.5,
    1.5,
    0.7,
    4.5,
)
_MIN_PARALLEL_MICROSECONDS = 30.0
_PRODUCTS, _COPIES = 1e5, 1e4  # multiplications, and elements copied, per microsecond
_MAX_SHAPES, _MAX_TERMS = 16, 16
_COLUMN_OPS = frozenset({"ConcatV2", "Split", "Slice"})
TAKE_COLUMNS = -1


def fuse_runs(program: Program) -> Program:
    """Replaces runs of consecutive nodes, including runs in loops, with "fused" nodes; returns the program."""
    if makes_runs():
        _fuse_program(program, _LIMITS)
    return program


def _fuse_program(program: Program, limits: Limits) -> None:
    for node in program.nodes:
        if node.kind == "while":
            _fuse_program(node.loop.program, _LIMITS_IN_LOOP)
    uses = Uses(program.nodes)
    replaced: dict[int, list[Node]] = {}
    for group in find_groups(program, lambda node: _run_key(node, program, uses), limits):
        members = group.nodes
        if sum(map(_saved_calls, members)) > _RUN_MICROSECONDS and any(
            node.kind == "fused" for node in members
        ):
            replaced.update({id(node): [] for node in members})
            replaced[id(members[-1])] = [_fused_run(members, program, uses)]
    program.nodes = [new for node in program.nodes for new in replaced.get(id(node), [node])]


def _run_key(node: Node, program: Program, uses: Uses) -> tuple[object, ...] | None:
    """Returns the key shared by all nodes of a run, the number of rows; None for a node that cannot be in one."""
    if not program.on_host(node) or not node.outputs:
        return None
    slots = [program.slots[slot] for slot in node.outputs]
    if any(s.dims is None or len(s.dims) != 2 or s.dims[1] is None for s in slots):
        return None
    if node.kind == "fused":
        evaluate = node.fused.evaluate
        if not isinstance(evaluate, PackedProduct | NativeGroup) or evaluate.dtype != np.float32:
            return None
        if isinstance(evaluate, NativeGroup) and evaluate.sums:
            return None
    elif node.kind != "op" or any(slot.dtype is not dtypes.float32 for slot in slots):
        return None
    elif node.opdef.name in _COLUMN_OPS:
        if _first_columns(node, program, uses) is None:
            return None
    elif fusion_key(node, program) is None or len(node.inputs) > _MAX_TERMS:
        return None
    dims: Any = slots[0].dims
    return dims[0], node.device, node.guard


def _first_columns(node: Node, program: Program, uses: Uses) -> tuple[int, ...] | None:
    """Returns the first column of each part that a node concatenates or slices; None for other axes or if unknown."""
    producers = [uses.producer.get(slot) for slot in _static_slots(node)]
    if any(producer is None or producer.kind != "const" for producer in producers):
        return None
    values: list[Any] = [producer.constant for producer in producers if producer is not None]
    parts = node.inputs[:-1] if node.opdef.name == "ConcatV2" else node.outputs
    dims = [program.slots[slot].dims for slot in parts]
    widths: list[Any] = [None if d is None or len(d) != 2 else d[1] for d in dims]
    if None in widths:
        return None
    if node.opdef.name == "Slice":
        begin, size = values
        source_dims = program.slots[node.inputs[0]].dims
        if (
            source_dims is None
            or len(source_dims) != 2
            or begin[0] != 0
            or size[0] not in (-1, source_dims[0])
        ):
            return None
        # An invalid slice must fail when it is reached, not when the run begins.
        is_inside = source_dims[1] is not None and 0 <= begin[1] <= source_dims[1] - widths[0]
        return (int(begin[1]),) if is_inside else None
    if values[0] not in (1, -1):
        return None
    return tuple(sum(widths[:i]) for i in range(len(widths)))


def _static_slots(node: Node) -> tuple[int, ...]:
    """Returns the slots of a node's axis, or of a slice's begin and size."""
    if node.opdef.name == "Slice":
        return node.inputs[1:]
    return node.inputs[:1] if node.opdef.name == "Split" else node.inputs[-1:]


def _saved_calls(node: Node) -> float:
    if node.kind == "fused":
        return _CALL_MICROSECONDS
    if node.opdef.name not in _COLUMN_OPS:
        return _UFUNC_MICROSECONDS
    return _CONCAT_MICROSECONDS if node.opdef.name == "ConcatV2" else _VIEW_MICROSECONDS


def _fused_run(members: list[Node], program: Program, uses: Uses) -> Node:
    internal_slots = {slot for node in members for slot in node.outputs}
    member_ids = {id(node) for node in members}
    inputs = tuple(dict.fromkeys(s for n in members for s in n.inputs if s not in internal_slots))
    outputs = tuple(
        slot
        for node in members
        for slot in node.outputs
        if slot in program.fetches
        or any(id(reader) not in member_ids for reader in uses.readers.get(slot, ()))
    )
    outputs = outputs or members[-1].outputs[:1]  # the first of a target without readers
    # Elementwise nodes form groups here, regardless of size.
    nodes = group_program(replace(program, nodes=members, fetches=outputs), any_size=True).nodes
    parts = []
    for node in nodes:
        evaluate: Any = None
        first: tuple[int, ...] = ()
        if node.kind == "fused":
            evaluate = node.fused.evaluate
            is_group = isinstance(evaluate, NativeGroup)
            reads = (
                node.inputs[: evaluate.inputs] if is_group else (node.inputs[0], *node.inputs[2:])
            )
        else:
            first = _first_columns(node, program, uses) or ()
            reads = tuple(slot for slot in node.inputs if slot not in _static_slots(node))
        widths: Any = tuple(program.slots[slot].dims[1] for slot in node.outputs)  # type: ignore[index]
        result_dtypes = [program.slots[slot].dtype.as_numpy_dtype for slot in node.outputs]
        parts.append(
            Part(
                _stage_kind(node, evaluate),
                evaluate,
                reads,
                node.outputs,
                first,
                widths,
                tuple(result_dtypes),
            )
        )
    flat = [member for node in nodes for member in node.members or (node,)]
    fused = fused_node(flat, inputs, outputs, RowRun(parts, inputs, outputs))
    fused.controls = tuple(
        dict.fromkeys(c for n in members for c in n.controls if id(c) not in member_ids)
    )
    fused.payload = FusedGroup(tuple(flat), fused.fused.evaluate, parts=tuple(nodes))
    return fused


def _stage_kind(node: Node, evaluate: object) -> int:
    if evaluate is not None:
        return GROUP if isinstance(evaluate, NativeGroup) else PRODUCT
    return COPY if node.opdef.name == "ConcatV2" else TAKE_COLUMNS


@dataclass(frozen=True)
class Part:
    """A node's part in a run.

    kind: the kind of a stage, or TAKE for matrix columns read in place.
    evaluate: the product or the group.
    inputs, outputs: their slots, without axes and, for a product, without the packed matrix.
    first: first column of each concatenated input, or of each output taken from the input.
    widths, kinds: the columns and dtypes of the outputs.
    """

    kind: int
    evaluate: Any
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    first: tuple[int, ...]
    widths: tuple[int, ...]
    kinds: tuple[type, ...]


class RowRun:
    """Evaluates a run: `run(*inputs)` returns the result, or a list of several; None to fall back to its nodes."""

    def __init__(self, parts: Sequence[Part], inputs: tuple[int, ...], outputs: tuple[int, ...]):
        self._parts = parts
        self._slots = inputs
        self._outputs = outputs
        read = {slot for part in parts for slot in part.inputs}
        self._read_matrix = [index for index, slot in enumerate(inputs) if slot in read]
        self._scalars: list[tuple[int, type]] = []
        for part in parts:
            if part.kind == GROUP:
                scalars = part.evaluate.scalars.items()
                slots = [(part.inputs[index], dtype) for index, dtype in scalars]
                self._scalars += [(inputs.index(s), dtype) for s, dtype in slots if s in inputs]
        # By shapes and strides of the inputs.
        self._prepared: dict[tuple[object, ...], _CompiledRun | None] = {}

    def __call__(self, *inputs: Array) -> Array | list[Array] | None:
        arrays = list(inputs)
        for index, dtype in self._scalars:
            arrays[index] = np.asarray(arrays[index], dtype)
        operands = [arrays[index] for index in self._read_matrix]
        try:
            key = (thread_count(), *[(array.shape, array.strides) for array in operands])
        except AttributeError:  # nothing has been packed
            return None
        try:
            prepared = self._prepared[key]
        except KeyError:
            if len(self._prepared) >= _MAX_SHAPES:
                self._prepared.clear()
            slots = [self._slots[index] for index in self._read_matrix]
            preparation = _Preparation(dict(zip(slots, operands)), self._outputs)
            prepared = self._prepared[key] = preparation.prepare_run(self._parts)
        if prepared is None:
            return None
        results: list[Array] = [np.empty(shape, dtype) for shape, dtype in prepared.results]
        prepared.run(operands + results + prepared.constants)
        return results[0] if len(results) == 1 else results


@dataclass(frozen=True)
class _CompiledRun:
    """A run compiled for specific shapes: its outputs, and the constants it appends."""

    run: NativeRun
    results: list[tuple[tuple[int, ...], np.dtype]]
    constants: list[np.ndarray]


class _UnsupportedArrays(Exception):
    """Raised for arrays that stages do not support."""


class _Preparation:
    """Stages for arrays with fixed shapes and strides, by slot."""

    def __init__(self, arrays: dict[int, np.ndarray], outputs: Sequence[int]):
        self._arguments = tuple(arrays)
        self._outputs = outputs
        self._samples = dict(arrays)
        # By slot: the slot of the containing array, and the index of the first element.
        self._matrix_columns = {slot: (slot, 0) for slot in arrays}
        self._unbuffered: list[int] = []
        self._constants: list[np.ndarray] = []
        # With slots, or with constant numbers as negative values.
        self._stages: list[tuple[Stage, list[int]]] = []
        self._rows = -1
        self._microseconds = 0.0

    def prepare_run(self, parts: Sequence[Part]) -> _CompiledRun | None:
        """Returns the prepared run; None if the arrays do not support it."""
        add = {
            COPY: self._concatenate,
            TAKE_COLUMNS: self._take,
            PRODUCT: self._multiply,
            GROUP: self._compute,
        }
        try:
            for part in parts:
                add[part.kind](part)
        except _UnsupportedArrays:
            return None
        constants = range(-1, -1 - len(self._constants), -1)
        buffers = [*self._arguments, *self._outputs, *constants]
        indices = {slot: index for index, slot in enumerate([*buffers, *self._unbuffered])}
        stages = [
            replace(stage, arrays=tuple(indices[slot] for slot in slots))
            for stage, slots in self._stages
        ]
        threads = thread_count() if self._microseconds >= _MIN_PARALLEL_MICROSECONDS else 1
        widths = [self._samples[slot].shape[1] for slot in self._unbuffered]
        run = NativeRun(stages, len(buffers), widths, self._rows, threads)
        results = [(self._samples[slot].shape, self._samples[slot].dtype) for slot in self._outputs]
        return _CompiledRun(run, results, self._constants)

    def _has_rows(self, rows: int) -> None:
        if self._rows not in (-1, rows) or not rows:
            raise _UnsupportedArrays
        self._rows = rows

    def _read_matrix(self, slot: int) -> tuple[np.ndarray, int, Place]:
        """Returns a matrix read row by row, the array that contains it, and its position there."""
        matrix = self._samples[slot]
        if matrix.ndim != 2 or matrix.dtype != np.float32 or matrix.strides[1] != 4:
            raise _UnsupportedArrays
        self._has_rows(len(matrix))
        if matrix.strides[0] < 0 or matrix.strides[0] % 4:
            raise _UnsupportedArrays
        array, first = self._matrix_columns[slot]
        return matrix, array, (first, matrix.strides[0] // 4, matrix.shape[1], 0)

    def _allocate_buffer(self, slot: int, width: int, dtype: type) -> None:
        self._samples[slot] = np.empty((self._rows, width), dtype)
        self._matrix_columns[slot] = slot, 0
        if slot not in self._outputs:
            self._unbuffered.append(slot)

    def _concatenate(self, part: Part) -> None:
        (result,) = part.outputs
        read = [self._read_matrix(slot) for slot in part.inputs]
        width = sum(matrix.shape[1] for matrix, *_ in read)
        self._allocate_buffer(result, width, np.float32)
        self._add_copy([(array, region) for _, array, region in read], result)

    def _add_copy(self, read: list[tuple[int, Place]], result: int) -> None:
        width = self._samples[result].shape[1]
        regions = [*(region for _, region in read), (0, width, width, 0)]
        arrays = [*(array for array, _ in read), result]
        self._stages.append((Stage(COPY, (), tuple(regions), width), arrays))
        self._microseconds += self._rows * width / _COPIES

    def _take(self, part: Part) -> None:
        (slot,) = part.inputs
        matrix, array, (begin, row, columns, _) = self._read_matrix(slot)
        for result, first, width in zip(part.outputs, part.first, part.widths):
            if first + width > columns:
                raise _UnsupportedArrays
            if result in self._outputs:
                self._allocate_buffer(result, width, np.float32)
                self._add_copy([(array, (begin + first, row, width, 0))], result)
            else:
                self._samples[result] = matrix[:, first : first + width]
                self._matrix_columns[result] = array, begin + first

    def _multiply(self, part: Part) -> None:
        left, panels, *bias = part.inputs
        (result,) = part.outputs
        matrix, array, region = self._read_matrix(left)
        inner, columns = part.evaluate.sizes
        if matrix.shape[1] != inner or not part.evaluate.pays(self._rows):
            raise _UnsupportedArrays
        if not all(packed_matmul.is_bias(self._samples[slot], columns) for slot in bias):
            raise _UnsupportedArrays
        self._allocate_buffer(result, columns, np.float32)
        regions = region, *((0, 0, 0, 0),) * (2 + len(bias))
        arrays = [array, panels, result, *bias]
        self._stages.append((Stage(PRODUCT, (), regions, columns, inner), arrays))
        self._microseconds += self._rows * inner * columns / _PRODUCTS

    def _compute(self, part: Part) -> None:
        group = part.evaluate
        operand_layout = group.operand_layout([self._samples[slot] for slot in part.inputs])
        if operand_layout is None or len(operand_layout[1]) != 2:
            raise _UnsupportedArrays
        offset_kind, (rows, columns), wide_arrays = operand_layout
        self._has_rows(rows)
        places = [self._matrix_columns[part.inputs[index]] for index in group.numbers]
        regions = [
            (start + first, *rest) for (_, first), (start, *rest) in zip(places, offset_kind)
        ]
        arrays = [array for array, _ in places]
        for value in group.constants:
            self._constants.append(value)
            arrays.append(-len(self._constants))
        for slot, (count, shape) in zip(part.outputs, wide_arrays):
            self._allocate_buffer(slot, shape[1], np.float32)
            arrays += [slot] * count
        for slot, dtype in zip(part.outputs[len(wide_arrays) :], part.kinds[len(wide_arrays) :]):
            self._allocate_buffer(slot, columns, dtype)
            arrays.append(slot)
        regions += offset_kind[len(places) :]
        stage = Stage(GROUP, (), tuple(regions), columns, program=group.program)
        self._stages.append((stage, arrays))
        self._microseconds += group.microseconds(rows * columns)
