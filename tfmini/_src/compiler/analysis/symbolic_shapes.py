"""Symbolic shapes: equalities between dimensions that are unknown until run time.

A dimension is an int or a symbol, the slot and axis of its first appearance. Dimensions with the same symbol are equal
whenever both arrays exist. Values of small shape vectors are tracked too, from a Shape op to the Fill or Reshape that
consumes it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.compiler.program.program import Dim, Dims, Node, Program
from tfmini._src.graph.shape_inference import broadcast, same_shape

Found: TypeAlias = Sequence[Dims | None] | None

_SHAPE_PRESERVING_OPS = frozenset({"AddN", "BiasAdd", "BiasAddV1", "ZerosLike", "OnesLike"})
_VECTOR_SHAPED_OPS = frozenset({"Fill", "RandomUniform", "RandomStandardNormal", "TruncatedNormal"})
_SIZE_PRESERVING_DTYPES = (
    dtypes.int32,
    dtypes.int64,
)  # casts to bool or to a byte may change the value
_REDUCTIONS = frozenset({"Sum", "Mean", "Max", "Min", "Prod"})


class Symbols:
    """Symbolic shapes of a program's slots, and values of slots that hold shapes."""

    def __init__(self, program: Program):
        self._program = program
        known_shapes = program.known_shapes
        self._dims: dict[int, Dims] = dict(known_shapes.dims) if known_shapes else {}
        # The elements of vectors, and the values of scalars whose slots are in _scalars.
        self._values: dict[int, Dims] = dict(known_shapes.vectors) if known_shapes else {}
        self._scalars: set[int] = set()

    def dims(self, slot: int) -> Dims | None:
        """Returns a slot's symbolic shape; None if its rank is unknown."""
        dims = self._dims.get(slot)
        return dims if dims is not None else self._merge_dims(slot, None)

    def vector(self, slot: int) -> Dims | None:
        """Returns the elements of a slot that holds a vector of sizes; None if unknown."""
        return None if slot in self._scalars else self._values.get(slot)

    def assume(self, slot: int, dims: Dims | None) -> None:
        """Records a slot's shape, with None for unknown dimensions."""
        merged = None if dims is None else self._merge_dims(slot, dims)
        if merged is not None:
            self._dims[slot] = merged

    def add(self, node: Node) -> None:
        """Adds a node; the producers of its inputs must already have been added."""
        if node.kind == "const":
            self._add_constant(node.outputs[0], node.constant)
            return
        if node.kind == "op" and node.opdef.name == "Const":
            self._add_constant(node.outputs[0], node.attrs["value"].array)
            return
        if node.kind != "op" or node.payload:
            return
        self._follow_value(node)
        rule = _RULES.get(node.opdef.name)
        if rule is None and node.opdef.name in _SHAPE_PRESERVING_OPS:
            rule = _first_input_dims
        elif rule is None and node.opdef.name in _VECTOR_SHAPED_OPS:
            rule = _dims_from_vector
        elif rule is None and node.opdef.name in _REDUCTIONS:
            rule = _reduction_shape
        elif rule is None and node.opdef.shape_rule is same_shape:
            rule = _first_input_dims
        elif rule is None and node.opdef.shape_rule is broadcast:
            rule = _broadcast
        inferred_dims = rule(node, self) if rule is not None else None
        if inferred_dims is None:
            return
        for index, slot in enumerate(node.outputs):
            merged = self._merge_dims(slot, inferred_dims[min(index, len(inferred_dims) - 1)])
            if merged is not None:
                self._dims[slot] = merged

    def _merge_dims(self, slot: int, inferred_dims: Dims | None) -> Dims | None:
        """Merges inferred and declared dimensions, preferring static ones; unknown ones get new symbols."""
        dims = self._program.slots[slot].dims
        if self._program.slots[slot].dtype._is_ref_dtype:  # an assignment may change its shape
            return None if dims is None or None in dims else dims
        if dims is None:
            return None if inferred_dims is None or None in inferred_dims else inferred_dims
        if inferred_dims is None or len(inferred_dims) != len(dims):
            inferred_dims = (None,) * len(dims)
        return tuple(
            declared_dim if declared_dim is not None else (slot, axis) if other is None else other
            for axis, (declared_dim, other) in enumerate(zip(dims, inferred_dims))
        )

    def _add_constant(self, slot: int, constant: object) -> None:
        value = np.asarray(constant)
        if value.dtype.kind == "i" and value.ndim < 2 and value.size < 9:
            self._set_value(slot, tuple(value.ravel().tolist()), value.ndim == 0)

    def _set_value(self, slot: int, value: Dims, is_scalar: bool) -> None:
        self._values[slot] = value
        if is_scalar:
            self._scalars.add(slot)

    def _follow_value(self, node: Node) -> None:
        name = node.opdef.name
        if name in ("Shape", "ShapeN"):
            for source, slot in zip(node.inputs, node.outputs):
                dims = self.dims(source)
                if dims is not None:
                    self._set_value(slot, dims, False)
            return
        if name == "Size":
            dims = self.dims(node.inputs[0])
            if dims is not None and len(dims) == 1:
                self._set_value(node.outputs[0], dims, True)
            return
        values = [self._values.get(slot) for slot in node.inputs]
        if not values or values[0] is None:
            return
        if name == "StridedSlice":
            self._follow_slice(node, values)
        elif (
            name == "ExpandDims" and values[1] in ((0,), (-1,)) and node.inputs[0] in self._scalars
        ):
            self._set_value(node.outputs[0], values[0], False)
        elif name == "Cast" and node.attrs["DstT"] in _SIZE_PRESERVING_DTYPES:
            self._set_value(node.outputs[0], values[0], node.inputs[0] in self._scalars)
        elif name == "Pack" and None not in values and self._scalars.issuperset(node.inputs):
            self._set_value(node.outputs[0], tuple(k[0] for k in values), False)  # type: ignore[index]
        elif name == "ConcatOffset" and None not in values:
            self._follow_offsets(node, values)
        elif name == "ConcatV2" and None not in values:
            *parts, _ = values
            if not self._scalars & set(node.inputs[:-1]):
                joined = tuple(d for part in parts for d in part)  # type: ignore[union-attr]
                self._set_value(node.outputs[0], joined, False)

    def _follow_offsets(self, node: Node, values: Sequence[Any]) -> None:
        """Records the offsets of a concatenation's parts if their sizes are known."""
        (axis,), *shapes = values
        total: Dim = 0
        for shape, slot in zip(shapes, node.outputs):
            offset = (slot, "offset") if total is None else total
            self._set_value(
                slot, tuple(offset if i == axis else 0 for i in range(len(shape))), False
            )
            size = shape[axis] if -len(shape) <= axis < len(shape) else None
            total = total + size if isinstance(total, int) and isinstance(size, int) else None

    def _follow_slice(self, node: Node, values: Sequence[Any]) -> None:
        """Records one element, or a slice, of a vector of sizes."""
        value, *bounds = values
        attrs = node.attrs
        if any(bound is None or len(bound) != 1 for bound in bounds):
            return
        (begin,), (end,), (stride,) = bounds
        if not isinstance(begin, int) or not isinstance(end, int):
            return  # a symbolic bound: the elements are known only at run time
        if attrs["ellipsis_mask"] or attrs["new_axis_mask"] or stride != 1:
            return
        if attrs["shrink_axis_mask"]:
            if not attrs["begin_mask"] and -len(value) <= begin < len(value):
                self._set_value(node.outputs[0], (value[begin],), True)
            return
        first = None if attrs["begin_mask"] else begin
        last = None if attrs["end_mask"] else end
        self._set_value(node.outputs[0], value[first:last], False)

    def scalar(self, slot: int) -> Dim:
        """Returns a slot's value if it is a scalar size; None if unknown."""
        return self._values[slot][0] if slot in self._scalars else None

    def rank(self, slot: int) -> int | None:
        """Returns a slot's declared rank; None if unknown."""
        dims = self._program.slots[slot].dims
        return None if dims is None else len(dims)

    def axis(self, slot: int, rank: int) -> int | None:
        """Returns a slot's constant axis, normalized to 0 <= axis < rank; None if unknown or out of range."""
        value = self._values.get(slot)
        if value is None or len(value) != 1 or not isinstance(value[0], int):
            return None
        axis = value[0] + rank if value[0] < 0 else value[0]
        return axis if 0 <= axis < rank else None


def _first_input_dims(node: Node, symbols: Symbols) -> Found:
    return [symbols.dims(node.inputs[0])]


def _dims_from_vector(node: Node, symbols: Symbols) -> Found:
    return [symbols.vector(node.inputs[0])]


def _broadcast(node: Node, symbols: Symbols) -> Found:
    a, b = (symbols.dims(slot) for slot in node.inputs[:2])
    if a is None or b is None:
        return None
    rank = max(len(a), len(b))
    pairs = zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b)
    return [tuple(_broadcast_size(m, n) for m, n in pairs)]


def _broadcast_size(m: Dim, n: Dim) -> Dim | None:
    """Returns the broadcast size of two dimensions; None if unknown."""
    if m == n or n == 1:
        return m
    if m == 1:
        return n
    return next((size for size in (m, n) if isinstance(size, int)), None)


def _matmul_dims(node: Node, symbols: Symbols) -> Found:
    a, b = (symbols.dims(slot) for slot in node.inputs)
    if a is None or b is None:
        return None
    return [(a[1 if node.attrs["transpose_a"] else 0], b[0 if node.attrs["transpose_b"] else 1])]


def _split_dims(node: Node, symbols: Symbols) -> Found:
    dims = symbols.dims(node.inputs[1])
    axis = None if dims is None else symbols.axis(node.inputs[0], len(dims))
    if dims is None or axis is None:
        return None
    return [(*dims[:axis], None, *dims[axis + 1 :])]


def _concat_shapes(node: Node, symbols: Symbols) -> Found:
    """Infers the shapes of a concatenation's inputs, which must agree in all other dimensions."""
    parts = [symbols.dims(slot) for slot in node.inputs[:-1]]
    first = parts[0]
    axis = None if first is None else symbols.axis(node.inputs[-1], len(first))
    if first is None or axis is None:
        return None
    return [(*first[:axis], None, *first[axis + 1 :])]


def _unpack_shapes(node: Node, symbols: Symbols) -> Found:
    dims = symbols.dims(node.inputs[0])
    if not dims:
        return None
    axis = node.attrs["axis"] % len(dims)
    return [dims[:axis] + dims[axis + 1 :]]


def _pack_shape(node: Node, symbols: Symbols) -> Found:
    dims = symbols.dims(node.inputs[0])
    if dims is None:
        return None
    axis = node.attrs["axis"] % (len(dims) + 1)
    return [(*dims[:axis], len(node.inputs), *dims[axis:])]


def _reduction_shape(node: Node, symbols: Symbols) -> Found:
    dims = symbols.dims(node.inputs[0])
    axes: tuple[Any, ...] | None = symbols.vector(node.inputs[1])
    if axes is None:
        axis = None if dims is None else symbols.axis(node.inputs[1], len(dims))
        axes = None if axis is None else (axis,)
    if dims is None or axes is None or not all(isinstance(a, int) for a in axes):
        return None
    reduced = {a % len(dims) for a in axes}
    if node.attrs["keep_dims"]:
        return [tuple(1 if i in reduced else d for i, d in enumerate(dims))]
    return [tuple(d for i, d in enumerate(dims) if i not in reduced)]


def _reshape_shape(node: Node, symbols: Symbols) -> Found:
    sizes, dims = symbols.vector(node.inputs[1]), symbols.dims(node.inputs[0])
    if sizes is None:
        return None
    inferred_dim: Dim = None
    if dims is not None and all(isinstance(d, int) for d in (*dims, *sizes)):
        known_count = -math.prod(sizes)  # type: ignore[arg-type]
        inferred_dim = math.prod(dims) // known_count if known_count > 0 else None  # type: ignore[arg-type]
    return [tuple(inferred_dim if d == -1 else d for d in sizes)]


def _gather_shape(node: Node, symbols: Symbols) -> Found:
    """Infers the shape of the gathered rows."""
    table, ids = node.inputs[:2]
    dims, rows = symbols.dims(ids), symbols.dims(table)
    if dims is None or node.attrs.get("batch_dims"):
        return None
    if len(node.inputs) == 3 and symbols.axis(node.inputs[2], len(rows or ())) != 0:
        return None
    total = symbols.rank(node.outputs[0])
    return None if total is None else [(*dims, *[None] * (total - len(dims)))]


def _gathered_points(node: Node, symbols: Symbols) -> Found:
    points, total = symbols.dims(node.inputs[1]), symbols.rank(node.outputs[0])
    if not points or total is None:
        return None
    return [(*points[:-1], *[None] * (total - len(points) + 1))]


def _cross_shapes(node: Node, symbols: Symbols) -> Found:
    count = (node.outputs[0], 0)
    return [(count, 2), (count,), (2,)]


def _reshaped_points(node: Node, symbols: Symbols) -> Found:
    points = symbols.dims(node.inputs[0])
    return None if not points else [(points[0], None), None]


def _segments(node: Node, symbols: Symbols) -> Found:
    dims, ids = symbols.dims(node.inputs[0]), symbols.dims(node.inputs[1])
    count = symbols.scalar(node.inputs[2])
    return None if dims is None or ids is None else [(count, *dims[len(ids) :])]


def _slice_shape(node: Node, symbols: Symbols) -> Found:
    sizes = symbols.vector(node.inputs[2])
    return None if sizes is None else [tuple(None if d == -1 else d for d in sizes)]


def _cross_entropy(node: Node, symbols: Symbols) -> Found:
    dims = symbols.dims(node.inputs[0])
    return None if dims is None or len(dims) != 2 else [dims[:1], dims]


def _switch_rule(node: Node, symbols: Symbols) -> Found:
    dims = symbols.dims(node.inputs[0])
    return [dims, dims]


def _select_shape(node: Node, symbols: Symbols) -> Found:
    return [symbols.dims(node.inputs[1])]


def _transpose_shape(node: Node, symbols: Symbols) -> Found:
    dims = symbols.dims(node.inputs[0])
    order: tuple[Any, ...] | None = symbols.vector(node.inputs[1])
    if dims is None or order is None or sorted(order, key=str) != list(range(len(dims))):
        return None
    return [tuple(dims[axis] for axis in order)]


_RULES: dict[str, Callable[[Node, Symbols], Found]] = {
    "ConcatV2": _concat_shapes,
    "Gather": _gather_shape,
    "GatherNd": _gathered_points,
    "GatherV2": _gather_shape,
    "MatMul": _matmul_dims,
    "Pack": _pack_shape,
    "Reshape": _reshape_shape,
    "ResourceGather": _gather_shape,
    "Select": _select_shape,
    "Slice": _slice_shape,
    "SoftmaxCrossEntropyWithLogits": _cross_entropy,
    "SparseSoftmaxCrossEntropyWithLogits": _cross_entropy,
    "SparseCross": _cross_shapes,
    "SparseReshape": _reshaped_points,
    "Split": _split_dims,
    "Switch": _switch_rule,
    "Transpose": _transpose_shape,
    "Unpack": _unpack_shapes,
    "UnsortedSegmentSum": _segments,
}
