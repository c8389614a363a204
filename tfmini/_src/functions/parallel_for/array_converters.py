"""Converters of ops that rearrange elements."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.functions.parallel_for.conversion import Value
from tfmini._src.functions.parallel_for.converters import converter, looped, shifted
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.ops import ops, raw


def _with_first(first: Any, rest: Any) -> Any:
    return ops.concat([ops.cast(first, rest.dtype), rest], 0)


@converter("Reshape")
def _reshape(given: Any) -> Any:
    return ops.reshape(given.stacked(0), _with_first(given.length, given.same(1)))


@converter("BroadcastTo")
def _broadcast_to(given: Any) -> Any:
    tensor, shape = given.stacked(0), given.same(1)
    sizes = ops.shape(tensor)
    ones = ops.ones([ops.size(shape) - ops.rank(tensor) + 1], sizes.dtype)
    expanded = ops.reshape(tensor, ops.concat([sizes[:1], ones, sizes[1:]], 0))
    return raw.BroadcastTo(expanded, _with_first(given.length, shape))


@converter("ExpandDims")
def _expand_dims(given: Any) -> Any:
    return ops.expand_dims(given.stacked(0), shifted(given.same(1)))


@converter("Squeeze")
def _squeeze(given: Any) -> Any:
    axes = given.op.attrs["squeeze_dims"]
    if not axes:
        sizes = given.op.inputs[0].shape.as_list()
        axes = [n for n, size in enumerate(sizes) if size == 1]
        if not axes:
            return given.stacked(0)
    return ops.squeeze(given.stacked(0), [n + 1 if n >= 0 else n for n in axes])


@converter("Transpose")
def _transpose(given: Any) -> Any:
    return ops.transpose(given.stacked(0), _with_first([0], given.same(1) + 1))


@converter("Slice")
def _slice(given: Any) -> Any:
    begin, size = given.same(1), given.same(2)
    return raw.Slice(given.stacked(0), _with_first([0], begin), _with_first([-1], size))


@converter("StridedSlice")
def _strided_slice(given: Any) -> Any:
    begin, end, strides = (given.same(number) for number in (1, 2, 3))
    bounds = [_with_first([first], each) for first, each in zip((0, 0, 1), (begin, end, strides))]
    return given.make(given.stacked(0), *bounds, **_masks(given.op))


@converter("StridedSliceGrad")
def _strided_slice_grad(given: Any) -> Any:
    shape, begin, end, strides = (given.same(number) for number in range(4))
    bounds = [_with_first([first], each) for first, each in zip((0, 0, 1), (begin, end, strides))]
    return given.make(
        _with_first(given.length, shape), *bounds, given.stacked(4), **_masks(given.op)
    )


def _masks(op: Any) -> dict[str, int]:
    """The masks of a strided slice for one more dimension at the front, of which all is taken."""
    shifted_masks = {
        name: op.attrs[name] << 1 for name in ("ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    }
    return {
        **shifted_masks,
        "begin_mask": op.attrs["begin_mask"] << 1 | 1,
        "end_mask": op.attrs["end_mask"] << 1 | 1,
    }


@converter("Tile")
def _tile(given: Any) -> Any:
    return ops.tile(given.stacked(0), _with_first([1], given.same(1)))


@converter("Pad", "PadV2", "MirrorPad")
def _pad(given: Any) -> Any:
    paddings = given.same(1)
    more = [given.same(n) for n in range(2, len(given.values))]
    return given.make(
        given.stacked(0), ops.concat([ops.zeros([1, 2], paddings.dtype), paddings], 0), *more
    )


@converter("Pack")
def _pack(given: Any) -> Any:
    axis = given.op.attrs["axis"]
    return given.make(*given.all_stacked(), axis=axis + 1 if axis >= 0 else axis)


@converter("Unpack")
def _unpack(given: Any) -> Any:
    axis = given.op.attrs["axis"]
    return given.make(given.stacked(0), axis=axis + 1 if axis >= 0 else axis)


@converter("Split")
def _split(given: Any) -> Any:
    return given.make(shifted(given.same(0)), given.stacked(1))


@converter("SplitV")
def _split_v(given: Any) -> Any:
    return given.make(given.stacked(0), given.same(1), shifted(given.same(2)))


@converter("ConcatV2")
def _concat(given: Any) -> Any:
    last = len(given.values) - 1
    tensors = [given.stacked(number) for number in range(last)]
    return given.make(*tensors, shifted(given.same(last)))


@converter("OneHot")
def _one_hot(given: Any) -> Any:
    axis = given.op.attrs["axis"]
    more = [given.same(number) for number in (1, 2, 3)]
    return given.make(given.stacked(0), *more, axis=axis + 1 if axis >= 0 else axis)


@converter("Gather", "GatherV2", "ResourceGather")
def _gather(given: Any) -> Any:
    op = given.op
    axis: Any = 0 if len(given.values) < 3 else constant_value(given.same(2))
    if axis is None or op.attrs.get("batch_dims", 0):
        return looped(given)
    rank = op.inputs[0].shape.ndims
    axis = int(axis)
    if axis < 0:
        axis += given.rank(0)
    if not given.is_stacked(1):
        return ops.gather(given.stacked(0), given.same(1), axis=axis + 1)
    indices = given.stacked(1)
    if given.is_stacked(0):
        if given.rank(1):
            return ops.gather(given.stacked(0), indices, axis=axis + 1, batch_dims=1)
        found = ops.gather(given.stacked(0), indices[:, None], axis=axis + 1, batch_dims=1)
        return ops.squeeze(found, [axis + 1])
    if op.type == "ResourceGather":
        return given.make(given.same(0), indices)
    params = given.same(0)
    if indices is given.conversion.numbers and axis == 0 and rank is not None:
        size = constant_value(given.length)
        if size is not None and params.shape.as_list()[0] == int(size[0]):
            return params  # row by row, all of it
    found = ops.gather(params, indices, axis=axis)
    if axis == 0:
        return found
    order = [axis, *range(axis), *range(axis + 1, int(given.rank(0)) + given.rank(1))]
    return ops.transpose(found, order)


@converter("Shape")
def _shape(given: Any) -> Any:
    return Value(ops.shape(given.stacked(0), out_type=given.op.attrs["out_type"])[1:], False)


@converter("ShapeN")
def _shape_n(given: Any) -> Any:
    dtype = given.op.attrs["out_type"]
    return [Value(ops.shape(t, out_type=dtype)[1:], False) for t in given.all_stacked()]


@converter("Size")
def _size(given: Any) -> Any:
    dtype = given.op.attrs["out_type"]
    size = ops.size(given.stacked(0), out_type=dtype)
    return Value(size // ops.cast(given.length[0], dtype), False)


@converter("Rank")
def _rank(given: Any) -> Any:
    return Value(ops.rank(given.stacked(0)) - 1, False)


@converter("LowerBound", "UpperBound")
def _searchsorted(given: Any) -> Any:
    rows, values = given.stacked(0), given.stacked(1)
    made = given.make(
        ops.reshape(rows, [-1, ops.shape(rows)[-1]]),
        ops.reshape(values, [-1, ops.shape(values)[-1]]),
    )
    return ops.reshape(made[0], ops.shape(values))


@converter("Select")
def _select(given: Any) -> Any:
    condition, first, second = given.values[0], given.stacked(1), given.stacked(2)
    if given.rank(0) == 0 and not condition.is_stacked:
        return ops.where(condition.tensor, first, second)
    tensor = given.stacked(0)
    rank, wanted = given.rank(0), given.rank(1)
    if rank < wanted:
        sizes = ops.shape(tensor)
        ones = ops.ones([wanted - rank], dtypes.int32)
        tensor = ops.reshape(tensor, ops.concat([sizes, ones], 0))
    return raw.SelectV2(tensor, first, second)


@converter("DecodeCSV", "MatrixBandPart")
def _of_the_first(given: Any) -> Any:
    others = [given.same(number) for number in range(1, len(given.values))]
    return given.make(given.stacked(0), *others)


@converter("ParseSingleExample")
def _parse_single_example(given: Any) -> Any:
    attrs = given.op.attrs
    defaults = [given.same(number) for number in range(1, len(given.values))]
    made = raw.ParseExample(
        given.stacked(0),
        [],
        attrs["sparse_keys"],
        attrs["dense_keys"],
        defaults,
        sparse_types=attrs["sparse_types"],
        dense_shapes=attrs["dense_shapes"],
    )
    return [part for parts in made for part in parts]


@converter("Assert")
def _assert(given: Any) -> Any:
    data = [value.tensor for value in given.values[1:]]
    return given.make(ops.reduce_all(given.values[0].tensor), *data)


@converter("Print")
def _print(given: Any) -> Any:
    return given.make(*[value.tensor for value in given.values])
