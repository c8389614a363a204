"""Repetition (Tile, BroadcastTo, repeat) and broadcast shapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InvalidArgumentError, UnimplementedError, invalid
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_dims,
    unknown_dims,
    with_rank,
    with_rank_at_most,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import (
    ANY,
    INDEX32,
    check_not_negative,
    dense,
    positive_axis,
    shape_text,
    unwrap_string,
)
from tfmini._src.ops.ragged_dispatch import accepts_ragged

# Tile --------------------------------------------------------------------------------------------

# NumPy dtypes that TensorFlow's kernel rejects when it runs, as it does quantized ones.
_UNTILED_DTYPES = (np.uint16, np.uint32, np.uint64)


@op(
    "Tile",
    "input: T, multiples: Tmultiples -> output: T",
    view=True,
    static_inputs=("multiples",),
    T=ANY,
    Tmultiples=INDEX32,
)
def tile_op(xp, value, multiples):
    value = dense(value)
    if multiples.ndim != 1:
        invalid(f"Expected multiples to be 1-D, but got shape {shape_text(multiples.shape)}")
    shape, counts = value.shape, multiples.tolist()
    if len(counts) != len(shape):
        invalid(
            f"Expected multiples argument to be a vector of length {len(shape)} but got length "
            f"{len(counts)}"
        )
    for i, count in enumerate(counts):
        if count < 0:
            invalid(f"Expected multiples[{i}] >= 0, but got {count}")
    if all(count == 1 for count in counts):
        return unwrap_string(value)
    sizes = [count * size for count, size in zip(counts, shape)]
    if (value.dtype in _UNTILED_DTYPES or value.dtype.names) and 0 not in sizes:
        name = dtypes.as_dtype(value.dtype).proto_name
        raise UnimplementedError(
            None,
            None,
            f"TileOp : The input data type is not supported, DataType : {name}, Dimension : {len(sizes)}",
        )
    if all(1 in pair for pair in zip(counts, shape)):
        result = xp.empty(sizes, value.dtype)
        result[...] = value
        return result
    return _tiling(xp, shape, counts, sizes)(value, multiples)


def _tiling(xp: Any, dims: tuple[int, ...], counts: list[int], sizes: list[int]) -> Callable:
    """Returns a kernel that repeats arrays of shape `dims` to shape `sizes`; falls back to the general kernel."""
    single = tuple([d for size in dims for d in (1, size)])
    repeated = tuple([d for count, size in zip(counts, dims) for d in (count, size)])

    def tile(value, multiples):
        if value.shape != dims:
            return tile_op.kernel(xp, value, multiples)
        result = xp.empty(repeated, value.dtype)
        result[...] = value.reshape(single)
        return result.reshape(sizes)

    return tile


@tile_op.bind
def _(ctx):
    dims, counts = ctx.dims[0], ctx.constants.get("multiples")
    if counts is None or not dims or None in dims or counts.shape != (len(dims),):
        return None
    counts = counts.tolist()
    if min(counts) < 0 or max(counts) == min(counts) == 1:
        return None
    dtype = ctx.attrs["T"].numpy
    if dtype in _UNTILED_DTYPES or dtype.names:
        return None
    return _tiling(np, dims, counts, [count * size for count, size in zip(counts, dims)])


tile_op.forwards(output="input", when=lambda multiples: bool((multiples == 1).all()))


def _times(size: int | None, count: int | None) -> int | None:
    if size == 0 or count == 0:
        return 0
    return None if size is None or count is None else size * count


@tile_op.infer
def _(op) -> Dims:
    dims, (count,) = op.inputs[0]._dims, with_rank(op.inputs[1]._dims, 1)
    if dims is not None and count is not None:
        with_rank(unknown_dims(count), len(dims))
    multiples = input_dims(op, 1)
    if dims is not None:
        multiples = with_rank(multiples, len(dims))
    if multiples is None:
        return None
    return tuple([_times(d, m) for d, m in zip(with_rank(dims, len(multiples)), multiples)])


@tile_op.gradient
def _(op, grad):
    value, multiples = op.inputs
    shape = ops.shape(value, out_type=multiples.dtype)
    # The shape interleaves [copies, size] of each axis; the sum is over the copies.
    split = ops.reshape(ops.transpose(ops.stack([multiples, shape])), [-1])
    axes = ops.range(0, ops.size(split), 2)
    if isinstance(grad, IndexedSlices):
        rows = ops.cast(shape[0], grad.indices.dtype)
        grad = ops.unsorted_segment_sum(grad.values, ops.mod(grad.indices, rows), rows)
        split = ops.concat([[1], split[1:]], axis=0)
    result = ops.reduce_sum(ops.reshape(grad, split), axes)
    result.set_shape(value.get_shape())
    return result, None


@public
@accepts_ragged("input", bound=True)
def tile(input: TensorLike, multiples: TensorLike, name: str | None = None) -> Tensor:
    """Repeats `input` along its axes.

    Args:
      input: a tensor.
      multiples: the number of repeats, an integer per axis.

    Example: `tf.tile([1, 2], [2])` is [1, 2, 1, 2].
    """
    return raw.Tile(input, multiples, name=name)


# Broadcasting ------------------------------------------------------------------------------------


@op(
    "BroadcastTo",
    "input: T, shape: Tidx -> output: T",
    static_inputs=("shape",),
    T=ANY,
    Tidx=INDEX32,
)
def broadcast_to_op(xp, value, shape):
    value = dense(value)
    if shape.ndim != 1:
        problem = f"shape must be a vector of {{int32,int64}}, got shape {shape_text(shape.shape)}"
        invalid(problem)
    requested = tuple(shape.tolist())
    check_not_negative(requested)
    if 0 in requested and len(requested) >= value.ndim:
        return xp.empty(requested, value.dtype)
    try:
        return unwrap_string(xp.broadcast_to(value, requested).copy())
    except ValueError:
        try:
            fits = len(requested) >= value.ndim and bool(
                np.broadcast_shapes(value.shape, requested)
            )
        except ValueError:
            fits = False
        if fits:
            problem = (
                f"Unable to broadcast tensor of shape {shape_text(value.shape)} to tensor of shape "
                f"{shape_text(requested)}"
            )
        elif len(requested) >= value.ndim:
            problem = f"Incompatible shapes: {shape_text(value.shape)} vs. {shape_text(requested)}"
        else:
            problem = (
                f"Rank of input ({value.ndim}) must be no greater than rank of output shape "
                f"({len(requested)})."
            )
        raise InvalidArgumentError(None, None, problem) from None


broadcast_to_op.forwards(
    output="input", when=lambda input, shape: tuple(shape.tolist()) == np.shape(input)
)


@broadcast_to_op.infer
def _(op) -> Dims:
    actual, (rank,) = op.inputs[0]._dims, with_rank(op.inputs[1]._dims, 1)
    if rank is not None:
        with_rank_at_most(actual, rank)
    expected = input_dims(op, 1)
    if actual is None or expected is None:
        return expected
    result = list(expected)
    for position in range(-1, -1 - len(actual), -1):
        d, w = actual[position], expected[position]
        if w is None:
            result[position] = d if d is not None and d > 1 else None
        elif d not in (None, 0, 1, w):
            raise InferenceError(f"Dimensions must be equal, but are {d} and {w}")
    return tuple(result)


@broadcast_to_op.gradient
def _(op, grad):
    shape = ops.shape(op.inputs[0])
    _, axes = raw.BroadcastGradientArgs(op.inputs[1], shape)
    return ops.reshape(ops.reduce_sum(grad, axis=axes, keepdims=True), shape), None


@public
def broadcast_to(input: TensorLike, shape: TensorLike, name: str | None = None) -> Tensor:
    """Broadcasts `input` to `shape`.

    Args:
      input: a tensor.
      shape: integer vector.

    Raises:
      ValueError, InvalidArgumentError (when run): if `input` does not broadcast to `shape`.
    """
    return raw.BroadcastTo(input, shape, name=name)


@op("BroadcastArgs", "s0: T, s1: T -> r0: T", static_inputs=("s0", "s1"), T=INDEX32)
def broadcast_args(xp, s0, s1):
    for i, shape in enumerate((s0, s1)):
        if shape.ndim != 1:
            invalid(f"In[{i}] must be a vector.{shape_text(shape.shape)}")
    x, y = s0.tolist(), s1.tolist()
    rank = max(len(x), len(y))
    result = []
    for a, b in zip([1] * (rank - len(x)) + x, [1] * (rank - len(y)) + y):
        if a != b and 1 not in (a, b):
            invalid(f"Incompatible shapes: {shape_text(tuple(x))} vs. {shape_text(tuple(y))}")
        result.append(b if a == 1 else a)
    return np.array(result, s0.dtype)


@broadcast_args.infer
def _(op) -> Dims:
    (x,), (y,) = (with_rank(t._dims, 1) for t in op.inputs)
    return (None if x is None or y is None else max(x, y),)


@public
def broadcast_dynamic_shape(shape_x: TensorLike, shape_y: TensorLike) -> Tensor:
    """Returns the broadcast shape of two tensors as a tensor.

    Args:
      shape_x, shape_y: the tensors' shapes, integer vectors.

    Returns:
      An integer vector.
    """
    return raw.BroadcastArgs(shape_x, shape_y)


@public
def broadcast_static_shape(shape_x: TensorLike, shape_y: TensorLike) -> TensorShape:
    """Returns the static broadcast shape of two tensors.

    Args:
      shape_x, shape_y: the tensors' shapes, TensorShapes.

    Raises:
      ValueError: if the shapes do not broadcast.
    """
    x, y = as_shape(shape_x), as_shape(shape_y)
    if x.ndims is None or y.ndims is None:
        return TensorShape(None)
    rank = max(x.ndims, y.ndims)
    pairs = zip(
        (1,) * (rank - x.ndims) + tuple(x.as_list()), (1,) * (rank - y.ndims) + tuple(y.as_list())
    )
    result: list[int | None] = []
    for a, b in pairs:
        if a is None or b is None:
            size = b if a is None else a
            result.append(size if size is not None and size > 1 else None)
        elif a == b or b == 1:
            result.append(a)
        elif a == 1:
            result.append(b)
        else:
            raise ValueError(f"Incompatible shapes for broadcasting: {shape_x} and {shape_y}")
    return TensorShape(result)


# repeat ------------------------------------------------------------------------------------------


@public
def repeat(
    input: TensorLike, repeats: TensorLike, axis: int | None = None, name: str | None = None
) -> Tensor:
    """Repeats each element of a tensor.

    Args:
      input: a tensor.
      repeats: the number of repeats, an integer scalar, or a vector with one number per index along the axis.
      axis: the axis; by default, the tensor is flattened first.

    Raises:
      TypeError: if `axis` is not an int, or `repeats` has a non-integer dtype.
      ValueError: if `axis` is out of range.

    Example: `tf.repeat([1, 2], [3, 1])` is [1, 1, 1, 2].
    """
    if axis is None:
        input = ops.reshape(input, [-1])
        axis = 0
    if not isinstance(axis, int):
        raise TypeError(f"axis must be an int; got {type(axis).__name__}")
    with name_scope(name, "Repeat", [input, repeats]):
        return _repeat(ops.convert_to_tensor(input, name="data"), _integers(repeats), axis)


def _integers(repeats: Any) -> Tensor:
    repeats = ops.convert_to_tensor(repeats, name="repeats", preferred_dtype=dtypes.int32)
    if not repeats.dtype.is_integer:
        raise TypeError(f"repeats must be an integer tensor; dtype={repeats.dtype}")
    return raw.Cast(repeats, DstT=dtypes.int32)


def _repeat(data: Tensor, repeats: Tensor, axis: int) -> Tensor:
    repeats.shape.with_rank_at_most(1)
    data = _at_least_vector(data)
    shape = ops.shape(data)
    axis = positive_axis(axis, data.shape.ndims)
    if repeats.shape.ndims == 1 and data._dims is not None:
        data.shape.dims[axis].assert_is_compatible_with(repeats.shape[0])
    if repeats.shape.ndims == 0:
        tiled = _tile(ops.expand_dims(data, axis + 1), axis + 1, repeats)
        return ops.reshape(tiled, ops.concat([shape[:axis], [-1], shape[axis + 1 :]], axis=0))
    if repeats.shape.ndims != axis + 1:
        own_shape = ops.shape(repeats)
        rank = ops.rank(repeats)
        full_shape = ops.concat([shape[: axis + 1 - rank], own_shape], axis=0)
        repeats = ops.broadcast_to(repeats, full_shape)
        repeats.set_shape([None] * (axis + 1))
    max_repeats = raw.Maximum(0, raw.Max(repeats, ops.all_dimensions(repeats)))
    mask = ops.sequence_mask(repeats, max_repeats)
    result = ops.boolean_mask(_tile(ops.expand_dims(data, axis + 1), axis + 1, max_repeats), mask)
    if axis != 0:
        result = ops.reshape(result, ops.concat([shape[:axis], [-1], shape[axis + 1 :]], axis=0))
    if data._dims is not None:
        size = 0 if repeats._dims is not None and repeats._dims[0] == 0 else None
        result.set_shape((*data._dims[:axis], size, *data._dims[axis + 1 :]))
    return result


def _tile(data: Tensor, axis: int, multiple: Tensor) -> Tensor:
    if data._dims is not None:
        multiples: Any = [1] * len(data._dims)
        multiples[axis] = multiple
    else:
        ones = ops.ones(ops.rank(data), dtypes.int32)
        multiples = ops.concat([ones[:axis], [multiple], ones[axis + 1 :]], axis=0)
    return ops.tile(data, multiples)


def _at_least_vector(data: Tensor) -> Tensor:
    """Converts a scalar to a vector; returns other arrays unchanged."""
    if data._dims is not None:
        return data if data._dims else ops.stack([data])
    shape, rank = ops.shape(data), ops.rank(data)
    return ops.reshape(data, ops.concat([[1], shape], axis=0)[-rank:])
