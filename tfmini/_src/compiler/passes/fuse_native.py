"""fuse_native: fuses consecutive elementwise nodes on a CPU into one call of the native library.

`fusion_groups.py` forms the groups, as on devices: a cell's gates with their gradients, a chain, a loss formula. On
small arrays a call costs about ten NumPy calls; on large arrays it saves passes through memory. Parts of a Split are
read in place, concat operands are written into the result, and of a result that is only summed, over rows or as a
whole, just the sums are written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.analysis.def_use import Uses
from tfmini._src.compiler.fusion.elementwise_groups import (
    Ufunc,
    inputs_and_results,
    shapes_read_as_matrices,
    ufuncs_of,
    with_buffers,
)
from tfmini._src.compiler.fusion.fusion_groups import Group, Limits, find_groups, with_siblings
from tfmini._src.compiler.fusion.parts_in_place import (
    joins_after,
    splits_before,
    sums_after,
    tiles_before,
    totals_after,
)
from tfmini._src.compiler.program.fused_node import fused_node
from tfmini._src.compiler.program.program import BlockStep, Node, Program
from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.elementwise_program import (
    ROW_SUMS,
    SUMMED_COLUMNS,
    TOTAL,
    TOTAL_OF_SQUARES,
    NativeProgram,
    element_kind,
    max_registers,
    operations,
)
from tfmini._src.devices.host.native.library import build_name
from tfmini._src.devices.host.native.operation_costs import (
    ONE_PASS,
    SERIES,
    SLOW,
    Doubles,
    operation_cost,
)
from tfmini._src.devices.numpy.matrix_strides import (
    FEW_COLUMNS,
    contiguous_axes,
    strides_as_matrix,
    with_merged_axes,
)
from tfmini._src.graph.op_traits.elementwise_formula import Step, Steps, ufunc_step

_LIMITS = Limits(inputs=32, members=4096)
# Measured costs in microseconds: a ufunc call, a ufunc's pass per element, a call of a native program, one
# element of exp's series, a Split or ConcatV2.
_CALL, _PASS, _PROGRAM, _SERIES, _OTHER = 0.35, 0.00012, 4.0, 0.0004, 3.0
_WORTH_A_THREAD = 20.0  # microseconds
# Minimum element counts for sums of rows, for totals, and for totals of batches of unknown size.
_SUMMED, _TOTALED, _SUMMED_OF_BATCH = 1 << 13, 1 << 15, 1 << 9
_MAX_SHAPES = 64
_SUMS = (ROW_SUMS, TOTAL, TOTAL_OF_SQUARES)

# The places of a NativeProgram; a shape; for each wide array, the number of results in it and its shape.
Layout: TypeAlias = tuple[list[tuple[int, ...]], tuple[int, ...], list[tuple[int, tuple[int, ...]]]]


def fuse_native(program: Program) -> Program:
    """Returns the program with groups of elementwise nodes replaced by one node of kind "fused"."""
    return grouped(program) if operations() else program


def grouped(program: Program, any_size: bool = False) -> Program:
    """Groups the program for the native library; with `any_size`, also nodes too small for a call of their own."""
    uses = Uses(program.nodes)
    nodes: dict[int, Node] = {}
    inner: set[int] = set()
    early: set[int] = set()  # axes of concats and sums, moved before the group
    groups = find_groups(program, lambda node: fusion_key(node, program), _LIMITS)
    large = [group for group in groups if _is_large(group)]
    if len(large) > 1:  # cost in memory passes
        large = with_siblings(large, program, _LIMITS)
        groups = [group for group in groups if not _is_large(group)] + large
    for group in groups:
        members = group.nodes
        splits = splits_before(members, program, uses) + tiles_before(members, program, uses)
        joins = joins_after(members, program, uses)
        sums = {} if any_size else _sums_of(group, program, uses)
        alone = len(members) == 1 and not splits and not sums and not any_size
        if alone and _is_left_alone(members[0], program):
            continue
        fused = _fused(members, splits, joins, sums, program, uses.readers, any_size)
        if fused is not None:
            nodes[id(members[-1])] = fused
            inner.update(id(node) for node in (*splits, *members[:-1], *joins, *sums))
            of_axes = (slot for node in (*joins, *sums) for slot in node.inputs[1:][-1:])
            early.update(id(uses.producer[slot]) for slot in of_axes)
    program.nodes = [
        *(n for n in program.nodes if id(n) in early),
        *(nodes.get(id(n), n) for n in program.nodes if id(n) not in inner | early),
    ]
    return program


def _is_large(group: Group) -> bool:
    dims: Any = group.key[0]
    return None not in dims and math.prod(dims) >= ONE_PASS


def _sums_of(group: Group, program: Program, uses: Uses) -> dict[Node, RowSum | Total]:
    """The sums that a group computes; none for few elements, which stay in a cache between two calls."""
    dims: Any
    dims, dtype, *_ = group.key
    size = math.prod(d for d in dims if d is not None)
    if dtype is dtypes.float16 or None not in dims and size < _SUMMED:
        return {}
    is_large = size >= (_SUMMED_OF_BATCH if None in dims else _TOTALED)
    totals = totals_after(group.nodes, program, uses) if is_large else ()
    rows = sums_after(group.nodes, SUMMED_COLUMNS, program, uses)
    return {
        **{node: Total.of(node, len(dims)) for node in totals},
        **{node: RowSum.of(node, dims[-1]) for node in rows},
    }


def _is_left_alone(node: Node, program: Program) -> bool:
    """Whether a node is a single NumPy pass over too few elements for a separate call."""
    formula = native_formula(node)
    if len(formula) > 1:
        return False
    dims: Any = program.slots[node.outputs[0]].dims
    if shapes_read_as_matrices(node, program):
        fewest = operation_cost(formula[0][0]).min_elements
    else:
        fewest = SLOW
    return fewest > SERIES if None in dims else math.prod(dims) < fewest


def fusion_key(node: Node, program: Program) -> tuple[object, ...] | None:
    """The key shared by all nodes of a fusion group; None for a node that cannot be in a group."""
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
        return None  # Select takes rows, or one of its inputs is both
    if dtypes.float64 in types and not _is_for_doubles(native_formula(node)):
        return None
    if dtypes.float16 in types and build_name() == "v4" and node.opdef.ufunc:
        if operation_cost(node.opdef.ufunc).numpy_has_halves:
            return None
    if node.opdef.name.startswith("BiasAdd") and not _is_column_bias(node, program):
        return None
    return dims, types.pop(), node.device, node.guard


def _is_for_doubles(formula: Steps) -> bool:
    kinds = {operation_cost(name).doubles for name, *_ in formula}
    return Doubles.MISSING not in kinds and (build_name() != "v4" or Doubles.C_LIBRARY not in kinds)


def _broadcasts_short_rows(node: Node, program: Program) -> bool:
    """Whether inputs broadcast along several axes to rows so short that NumPy is slow, such as [n, 1, 2] and [1, m,
    2].
    """
    dims = [program.slots[slot].dims for slot in (*node.outputs, *node.inputs)]
    if any(dims is None or None in dims for dims in dims):
        return False
    result: Any = dims[0]
    columns: int = result[-1]
    return 1 < columns <= FEW_COLUMNS and math.prod(result) >= SLOW


def _is_column_bias(node: Node, program: Program) -> bool:
    """Whether a BiasAdd is along the last axis and known not to fail."""
    dims, biases = (program.slots[slot].dims for slot in node.inputs)
    if not dims or biases in (None, (None,)) or not 2 <= len(dims) <= 5:
        return False
    return node.attrs.get("data_format") != "NCHW" and dims[-1:] == biases


def native_formula(node: Node) -> Steps:
    """Native library steps of a node's op; empty if any step or the library is missing."""
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
    """The steps for float16, each rounded as TensorFlow's kernels do; empty if a kernel rounds within a step."""
    if any(operation_cost(name).rounds_between for name, *_ in steps):
        return ()

    def operand(each: object) -> object:
        if type(each) is float:
            return float(np.float16(each))
        return 2 * each + 1 if type(each) is int else each

    rounded: list[Step] = []
    for number, (name, *operands) in enumerate(steps):
        rounded += [(name, *map(operand, operands)), ("to_half", 2 * number)]
    return tuple(rounded)


def _fused(
    members: list[Node],
    splits: list[Node],
    joins: list[Node],
    sums: dict[Node, RowSum | Total],
    program: Program,
    readers: dict[int, list[Node]],
    any_size: bool,
) -> Node | None:
    """The fused node for a group; None if it is not profitable or needs too many registers."""
    read, _ = inputs_and_results(members, program, readers)
    group = [*splits, *members, *joins, *sums]
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
    wide = [node.outputs[0] for node in joins]
    apart = [slot for slot in outputs if slot not in wide]
    summed = {node.outputs[0]: node.inputs[0] for node in sums}
    results = [*(s for n in joins for s in n.inputs[:-1]), *(summed.get(s, s) for s in apart)]
    constants, ufuncs, values = ufuncs_of(members, [native_formula(n) for n in members], read)
    dims: Any = program.slots[members[0].outputs[0]].dims
    smallest = 0 if any_size else _smallest(ufuncs, len(group) - len(members))
    if None not in dims and math.prod(dims) < smallest:
        return None
    registers = len(read) + len(constants)
    steps, buffers = with_buffers(ufuncs, registers, [values[slot] for slot in results])
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
                not program.slots[own].dims,
                program.slots[own].dims == dims,
                element_kind(program.slots[own].dtype.as_numpy_dtype),
            )
            for own, (slot, part, count) in zip([tiled.get(s, s) for s in read], parts_read)
        ],
        constants=constants,
        dtype=_dtype(members[0], program),
        wide=[len(node.inputs) - 1 for node in joins],
        sums={len(wide) + apart.index(n.outputs[0]): each for n, each in sums.items()},
        dims=dims,
        smallest=smallest,
    )
    return fused_node(group, (*inputs, *axes), (*wide, *apart), evaluate, steps)


def _dtype(member: Node, program: Program) -> type:
    """A group's compute dtype, as NumPy's."""
    candidates = [program.slots[slot].dtype for slot in (*member.outputs, *member.inputs)]
    dtype: type = next(dtype for dtype in candidates if dtype is not dtypes.bool).as_numpy_dtype
    return dtype


def _smallest(ufuncs: Sequence[Ufunc], others: int) -> int:
    """Minimum element count at which a native program beats NumPy's calls, including Split and ConcatV2."""
    costs = [operation_cost(ufunc.name) for ufunc in ufuncs]
    alone = len(costs) == 1
    fewest = min(ONE_PASS if cost.masks and not alone else cost.min_elements for cost in costs)
    saved, calls = _PROGRAM - _OTHER * others, sum(cost.numpy_calls for cost in costs)
    return min(fewest, max(0, math.ceil((saved / calls - _CALL) / _PASS)))


@dataclass(frozen=True)
class Operand:
    """The initial value of a register.

    number: index of the input.
    part, count: which of `count` equal column blocks of the input.
    """

    number: int
    part: int
    count: int
    is_scalar: bool
    is_whole: bool  # has the shape of the results; others broadcast to it
    kind: int  # `element_kind`

    def layout(self, array: Array, shape: tuple[int, ...]) -> tuple[int, ...] | None:
        """Offset and strides of an array read as a matrix of `shape`; None if a program cannot read it this way."""
        offset = 0
        if self.count > 1:
            columns, remainder = divmod(array.shape[-1] if array.ndim else 0, self.count)
            if remainder or not columns:
                return None
            offset = self.part * columns * array.strides[-1] // array.itemsize
            array = array[..., self.part * columns : (self.part + 1) * columns]
        if self.is_whole and array.shape != shape:
            return None
        strides = strides_as_matrix(array, shape)
        if strides is None or strides[1] > 1:
            return None
        return offset, *strides, self.kind


@dataclass(frozen=True)
class RowSum:
    """A result that is the sum over the last axis, or the mean of this many columns."""

    keep_dims: bool
    count: int | None

    kind = ROW_SUMS

    @staticmethod
    def of(node: Node, columns: int) -> RowSum:
        return RowSum(node.attrs["keep_dims"], columns if node.opdef.name == "Mean" else None)

    def completed(self, sums: np.ndarray, size: int) -> np.ndarray:
        if self.count is not None:
            sums /= sums.dtype.type(self.count)
        return sums.reshape((*sums.shape, 1)) if self.keep_dims else sums


@dataclass(frozen=True)
class Total:
    """A result that is the sum of all elements, their mean, or half the sum of their squares.

    op: the type of the op that computes it.
    axes: the number of axes of the result.
    """

    op: str
    axes: int

    @staticmethod
    def of(node: Node, axes: int) -> Total:
        return Total(node.opdef.name, axes if node.attrs.get("keep_dims") else 0)

    @property
    def kind(self) -> int:
        return TOTAL_OF_SQUARES if self.op == "L2Loss" else TOTAL

    def completed(self, sums: np.ndarray, size: int) -> Array:
        total: Array = sums[0]
        if self.op != "Sum":
            total /= sums.dtype.type(size if self.op == "Mean" else 2)
        return total.reshape((1,) * self.axes) if self.axes else total


class NativeGroup:
    """Evaluates a group: `group(*inputs)` is the result, or the list of several; None to fall back to NumPy.

    Args:
      steps: steps on ("input", i), ("buffer", i) and ("result", i).
      buffers: number of buffers.
      results: the dtypes of the results, all of one shape.
      operands: the steps' inputs, followed by `constants`.
      dtype: NumPy dtype of the operands; float16 is computed in float32.
      wide: indices of results placed side by side in one array. These arrays are returned first.
      sums: the sums of rows and totals, by index among the returned arrays.
      dims: static shape of the results; fully known if no operand has the full shape.
      smallest: minimum element count for a call.

    inputs: number of array and scalar inputs; numbers: indices of the steps' operands.
    scalars: dtypes of inputs that may be scalars.
    constants, program: the native program's trailing arguments, and the program.
    sums: as above; empty for a group without reductions.
    """

    def __init__(
        self,
        steps: Sequence[BlockStep],
        buffers: int,
        results: Sequence[type],
        *,
        operands: Sequence[Operand],
        constants: Sequence[float],
        dtype: type,
        wide: Sequence[int],
        sums: dict[int, RowSum | Total],
        dims: tuple[int | None, ...] | None,
        smallest: int,
    ):
        self.dtype = dtype
        self._operands = operands
        self.numbers = [operand.number for operand in operands]
        self.inputs = max(self.numbers, default=-1) + 1
        self.scalars = {operand.number: dtype for operand in operands if operand.is_scalar}
        self._wide = wide
        self.sums = sums
        self._whole = next((operand for operand in operands if operand.is_whole), None)
        self._dims = dims
        self._smallest = smallest
        computed = np.float32 if dtype is np.float16 else dtype
        self.constants: list[np.ndarray] = [np.asarray(value, computed) for value in constants]
        self._results = results
        self._single = len(results) - sum(wide) + len(wide) == 1
        first_buffer = len(operands) + len(constants)
        first = {"input": 0, "buffer": first_buffer, "result": first_buffer + buffers}
        numbers = operations()
        written = []
        for step in steps:
            reads = [first[kind] + number for kind, number in step.operands]
            kind, number = step.target
            operands_of = (reads + [reads[-1]] * 2)[:3]
            written.append((numbers[step.operation], *operands_of, first[kind] + number))
        registers = first_buffer + buffers + len(results)
        self._parallel = _elements_of_a_thread(steps)
        joined = sum(wide) - len(wide)  # arrays fewer than results
        # The element kind of each result.
        self._kinds = [element_kind(dtype) for dtype in results]
        for number, each in sums.items():
            self._kinds[number + joined] = each.kind
        self.program = NativeProgram(
            written, first_buffer, registers, results, computed, self._parallel, self._kinds
        )
        # The program, the shape to merge axes to, and the element count, by shapes and strides of the inputs.
        self._places: dict[tuple[object, ...], Any] = {}

    def __call__(self, *inputs: Array) -> Array | list[Array] | None:
        arrays = list(inputs[: self.inputs])
        for number, dtype in self.scalars.items():
            arrays[number] = np.asarray(arrays[number], dtype)
        key = tuple([(array.shape, array.strides) for array in arrays])
        layout = self._places.get(key)
        if layout is None:
            layout = self._places_of(arrays)
            if len(self._places) >= _MAX_SHAPES:
                self._places.clear()
            self._places[key] = layout
        if not layout:
            return None
        compute, merged, size = layout
        if merged is not None:
            arrays = [with_merged_axes(array, *merged) for array in arrays]
        results: list[Array] = compute([*[arrays[n] for n in self.numbers], *self.constants])
        if merged is not None:
            shape, _ = merged
            results = [r if n in self.sums else r.reshape(shape) for n, r in enumerate(results)]
        for number, each in self.sums.items():
            results[number] = each.completed(results[number], size)
        return results[0] if self._single else results

    def microseconds(self, size: int) -> float:
        """Estimated time for this many elements."""
        return _WORTH_A_THREAD * size / self._parallel

    def _places_of(self, arrays: Sequence[np.ndarray]) -> Any:
        """The program for inputs like these; empty if it is unsuitable or slower."""
        laid = self.laid_out(arrays)
        merged = None
        if laid is None and (merged := self._mergeable(arrays)) is not None:
            laid = self.laid_out([with_merged_axes(array, *merged) for array in arrays], merged)
        if laid is None or (size := math.prod(laid[1])) < self._smallest:
            return ()
        if not size and self.sums:  # NumPy's sums and means of nothing
            return ()
        strides, shape, wide = laid
        places = NativeProgram.position_bytes(strides)
        return self.program.bind_shape(places, shape, wide), merged, size

    def _mergeable(self, arrays: Sequence[np.ndarray]) -> tuple[tuple[int, ...], int] | None:
        """The shape of the results and the number of last axes to merge if the inputs are parts of larger arrays or
        broadcast along several axes to short rows; else None.
        """
        if self._wide or ROW_SUMS in self._kinds or any(o.count > 1 for o in self._operands):
            return None
        shape: Any = self._dims if self._whole is None else arrays[self._whole.number].shape
        if 0 in shape or any(array.ndim > len(shape) for array in arrays):
            return None
        if all(array.shape == shape or array.size == 1 for array in arrays):
            count = min((contiguous_axes(a) for a in arrays if a.size > 1), default=0)
            if count > 1:
                return shape, count
        return (shape, 2) if len(shape) > 2 and 1 < shape[-1] <= FEW_COLUMNS else None

    def laid_out(
        self, arrays: Sequence[np.ndarray], merged: tuple[tuple[int, ...], int] | None = None
    ) -> Layout | None:
        """The positions of the elements of operands, constants and results, the result shape, and the wide arrays among
        the results; None if the program does not support such inputs.
        """
        shape: Any = self._dims
        if merged is not None:
            shape, count = merged
            shape = (*shape[:-count], math.prod(shape[-count:]))
        elif self._whole is not None:
            shape = arrays[self._whole.number].shape
            if not shape:
                return None
            shape = (*shape[:-1], shape[-1] // self._whole.count)
        strides: list[tuple[int, ...]] = []
        for operand in self._operands:
            place = operand.layout(arrays[operand.number], shape)
            if place is None:
                return None
            strides.append(place)
        strides += [(0, 0, 0)] * len(self.constants)
        columns = shape[-1]
        wide = [(count, (*shape[:-1], count * columns)) for count in self._wide]
        offsets = [(i * columns, n * columns) for n in self._wide for i in range(n)]
        offsets += [(0, columns)] * (len(self._kinds) - len(offsets))
        strides += [
            (0, 0, 0, kind) if kind in _SUMS else (*offset, 1, kind)
            for offset, kind in zip(offsets, self._kinds)
        ]
        return strides, shape, wide


def _elements_of_a_thread(steps: Sequence[BlockStep]) -> int:
    """Minimum element count for waking another thread."""
    series = sum(operation_cost(step.operation).series for step in steps)
    return math.ceil(_WORTH_A_THREAD / (len(steps) * _PASS + series * _SERIES))
