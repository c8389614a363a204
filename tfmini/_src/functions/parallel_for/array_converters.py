"""Converters of array ops."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.functions.parallel_for.conversion import Value
from tfmini._src.functions.parallel_for.converters import converter, loop_over, shift_axes
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.ops import ops, raw


def _with_first(first: Any, rest: Any) -> Any:
    return ops.concat([ops.cast(first, rest.dtype), rest], 0)


@converter("Reshape")
def _reshape(op: Any) -> Any:
    return ops.reshape(op.stacked_input(0), _with_first(op.length, op.invariant_input(1)))


@converter("BroadcastTo")
def _broadcast_to(op: Any) -> Any:
    tensor, shape = op.stacked_input(0), op.invariant_input(1)
    sizes = ops.shape(tensor)
    ones = ops.ones([ops.size(shape) - ops.rank(tensor) + 1], sizes.dtype)
    expanded = ops.reshape(tensor, ops.concat([sizes[:1], ones, sizes[1:]], 0))
    return raw.BroadcastTo(expanded, _with_first(op.length, shape))


@converter("ExpandDims")
def _expand_dims(op: Any) -> Any:
    return ops.expand_dims(op.stacked_input(0), shift_axes(op.invariant_input(1)))


@converter("Squeeze")
def _squeeze(op: Any) -> Any:
    axes = op.op.attrs["squeeze_dims"]
    if not axes:
        sizes = op.op.inputs[0].shape.as_list()
        axes = [n for n, size in enumerate(sizes) if size == 1]
        if not axes:
            return op.stacked_input(0)
    return ops.squeeze(op.stacked_input(0), [n + 1 if n >= 0 else n for n in axes])


@converter("Transpose")
def _transpose(op: Any) -> Any:
    return ops.transpose(op.stacked_input(0), _with_first([0], op.invariant_input(1) + 1))


@converter("Slice")
def _slice(op: Any) -> Any:
    begin, size = op.invariant_input(1), op.invariant_input(2)
    return raw.Slice(op.stacked_input(0), _with_first([0], begin), _with_first([-1], size))


@converter("StridedSlice")
def _strided_slice(op: Any) -> Any:
    begin, end, strides = (op.invariant_input(index) for index in (1, 2, 3))
    bounds = [_with_first([first], bound) for first, bound in zip((0, 0, 1), (begin, end, strides))]
    return op.copy_with(op.stacked_input(0), *bounds, **_masks(op.op))


@converter("StridedSliceGrad")
def _strided_slice_grad(op: Any) -> Any:
    shape, begin, end, strides = (op.invariant_input(index) for index in range(4))
    bounds = [_with_first([first], bound) for first, bound in zip((0, 0, 1), (begin, end, strides))]
    return op.copy_with(
        _with_first(op.length, shape), *bounds, op.stacked_input(4), **_masks(op.op)
    )


def _masks(op: Any) -> dict[str, int]:
    """Shifts the masks of a strided slice for an additional leading dimension, which is not sliced."""
    shifted_masks = {
        name: op.attrs[name] << 1 for name in ("ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    }
    return {
        **shifted_masks,
        "begin_mask": op.attrs["begin_mask"] << 1 | 1,
        "end_mask": op.attrs["end_mask"] << 1 | 1,
    }


@converter("Tile")
def _tile(op: Any) -> Any:
    return ops.tile(op.stacked_input(0), _with_first([1], op.invariant_input(1)))


@converter("Pad", "PadV2", "MirrorPad")
def _pad(op: Any) -> Any:
    paddings = op.invariant_input(1)
    extra_inputs = [op.invariant_input(n) for n in range(2, len(op.values))]
    return op.copy_with(
        op.stacked_input(0),
        ops.concat([ops.zeros([1, 2], paddings.dtype), paddings], 0),
        *extra_inputs,
    )


@converter("Pack")
def _pack(op: Any) -> Any:
    axis = op.op.attrs["axis"]
    return op.copy_with(*op.all_stacked(), axis=axis + 1 if axis >= 0 else axis)


@converter("Unpack")
def _unpack(op: Any) -> Any:
    axis = op.op.attrs["axis"]
    return op.copy_with(op.stacked_input(0), axis=axis + 1 if axis >= 0 else axis)


@converter("Split")
def _convert_split(op: Any) -> Any:
    return op.copy_with(shift_axes(op.invariant_input(0)), op.stacked_input(1))


@converter("SplitV")
def _split_v(op: Any) -> Any:
    return op.copy_with(
        op.stacked_input(0), op.invariant_input(1), shift_axes(op.invariant_input(2))
    )


@converter("ConcatV2")
def _concat(op: Any) -> Any:
    last = len(op.values) - 1
    tensors = [op.stacked_input(index) for index in range(last)]
    return op.copy_with(*tensors, shift_axes(op.invariant_input(last)))


@converter("OneHot")
def _one_hot(op: Any) -> Any:
    axis = op.op.attrs["axis"]
    extra_inputs = [op.invariant_input(index) for index in (1, 2, 3)]
    return op.copy_with(op.stacked_input(0), *extra_inputs, axis=axis + 1 if axis >= 0 else axis)


@converter("Gather", "GatherV2", "ResourceGather")
def _convert_gather(node: Any) -> Any:
    op = node.op
    axis: Any = 0 if len(node.values) < 3 else constant_value(node.invariant_input(2))
    if axis is None or op.attrs.get("batch_dims", 0):
        return loop_over(node)
    rank = op.inputs[0].shape.ndims
    axis = int(axis)
    if axis < 0:
        axis += node.rank(0)
    if not node.is_stacked(1):
        return ops.gather(node.stacked_input(0), node.invariant_input(1), axis=axis + 1)
    indices = node.stacked_input(1)
    if node.is_stacked(0):
        if node.rank(1):
            return ops.gather(node.stacked_input(0), indices, axis=axis + 1, batch_dims=1)
        gathered = ops.gather(node.stacked_input(0), indices[:, None], axis=axis + 1, batch_dims=1)
        return ops.squeeze(gathered, [axis + 1])
    if op.type == "ResourceGather":
        return node.copy_with(node.invariant_input(0), indices)
    params = node.invariant_input(0)
    if indices is node.conversion.iteration_indices and axis == 0 and rank is not None:
        size = constant_value(node.length)
        if size is not None and params.shape.as_list()[0] == int(size[0]):
            return params  # the entire tensor, row by row
    gathered = ops.gather(params, indices, axis=axis)
    if axis == 0:
        return gathered
    order = [axis, *range(axis), *range(axis + 1, int(node.rank(0)) + node.rank(1))]
    return ops.transpose(gathered, order)


@converter("Shape")
def _convert_shape(op: Any) -> Any:
    return Value(ops.shape(op.stacked_input(0), out_type=op.op.attrs["out_type"])[1:], False)


@converter("ShapeN")
def _shape_n(op: Any) -> Any:
    dtype = op.op.attrs["out_type"]
    return [Value(ops.shape(t, out_type=dtype)[1:], False) for t in op.all_stacked()]


@converter("Size")
def _convert_size(op: Any) -> Any:
    dtype = op.op.attrs["out_type"]
    size = ops.size(op.stacked_input(0), out_type=dtype)
    return Value(size // ops.cast(op.length[0], dtype), False)


@converter("Rank")
def _convert_rank(op: Any) -> Any:
    return Value(ops.rank(op.stacked_input(0)) - 1, False)


@converter("LowerBound", "UpperBound")
def _searchsorted(op: Any) -> Any:
    rows, values = op.stacked_input(0), op.stacked_input(1)
    result = op.copy_with(
        ops.reshape(rows, [-1, ops.shape(rows)[-1]]),
        ops.reshape(values, [-1, ops.shape(values)[-1]]),
    )
    return ops.reshape(result[0], ops.shape(values))


@converter("Select")
def _select(op: Any) -> Any:
    condition, first, second = op.values[0], op.stacked_input(1), op.stacked_input(2)
    if op.rank(0) == 0 and not condition.is_stacked:
        return ops.where(condition.tensor, first, second)
    tensor = op.stacked_input(0)
    rank, expected = op.rank(0), op.rank(1)
    if rank < expected:
        sizes = ops.shape(tensor)
        ones = ops.ones([expected - rank], dtypes.int32)
        tensor = ops.reshape(tensor, ops.concat([sizes, ones], 0))
    return raw.SelectV2(tensor, first, second)


@converter("DecodeCSV", "MatrixBandPart")
def _convert_first(op: Any) -> Any:
    invariants = [op.invariant_input(index) for index in range(1, len(op.values))]
    return op.copy_with(op.stacked_input(0), *invariants)


@converter("ParseSingleExample")
def _parse_single_example(op: Any) -> Any:
    attrs = op.op.attrs
    defaults = [op.invariant_input(index) for index in range(1, len(op.values))]
    result = raw.ParseExample(
        op.stacked_input(0),
        [],
        attrs["sparse_keys"],
        attrs["dense_keys"],
        defaults,
        sparse_types=attrs["sparse_types"],
        dense_shapes=attrs["dense_shapes"],
    )
    return [part for parts in result for part in parts]


@converter("Assert")
def _assert(op: Any) -> Any:
    data = [value.tensor for value in op.values[1:]]
    return op.copy_with(ops.reduce_all(op.values[0].tensor), *data)


@converter("Print")
def _print(op: Any) -> Any:
    return op.copy_with(*[value.tensor for value in op.values])
