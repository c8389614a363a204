"""Splitting along an existing axis into pieces of equal or specified sizes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import Dimension
from tfmini._src.graph.op_traits.forwarding import has_aligned_rows
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, input_value, with_rank_at_least
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, INDEX64


def _static_axis(op: Any, index: int, rank: int | None) -> int | None:
    """Returns the non-negative axis from input `index`, or None if unknown."""
    value = input_value(op, index)
    if value is None:
        return None
    if value.ndim:
        raise InferenceError(f"Input must be scalar but has rank {value.ndim}")
    axis = int(value)
    if rank is None:
        return axis if axis >= 0 else None
    if not -rank <= axis < rank:
        raise InferenceError(
            f"Dimension size, given by scalar input {axis} must be in range [-{rank}, {rank})"
        )
    return axis % rank


def _check_axis(axis: Any, rank: int, name: str) -> int:
    """Returns the non-negative axis at run time; raises an error if it is out of range."""
    if axis.size != 1:
        invalid(f"{name} must have exactly one element.")
    dim = axis.item()
    if not -rank <= dim < rank:
        invalid(f"-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {dim}")
    return dim % rank


@op(
    "Split",
    "split_dim: int32, value: T -> output: num_split*T",
    view=True,
    static_inputs=("split_dim",),
    num_split=Attr("int", minimum=1),
    T=ANY,
)
def split_op(xp, split_dim, value, *, num_split):
    if split_dim.ndim:
        invalid(f"split_dim must be a scalar but has rank {split_dim.ndim}")
    axis = _check_axis(split_dim, value.ndim, "split_dim")
    if num_split == 1:
        return (value,)
    size, remainder = divmod(value.shape[axis], num_split)
    if remainder:
        invalid(
            "Number of ways to split should evenly divide the split dimension, but got split_dim "
            f"{axis} (size = {value.shape[axis]}) and num_split {num_split}"
        )
    return tuple([value[part] for part in _equal_slices(axis, size, num_split)])


@split_op.gradient
def _(op, *grads):
    return None, ops.concat(list(grads), op.inputs[0])


def _equal_slices(axis: int, size: int, count: int) -> list[tuple[slice, ...]]:
    """Returns the numpy indices of `count` equal parts along an axis."""
    leading_slices = (slice(None),) * axis
    return [(*leading_slices, slice(index * size, (index + 1) * size)) for index in range(count)]


@split_op.bind
def _(ctx):
    dims, axis, count = ctx.dims[1], ctx.constants.get("split_dim"), ctx.attrs["num_split"]
    if count == 1 and ctx.op.graph._is_optimized:  # an Identity in TensorFlow, whatever the axis
        return lambda split_dim, value: (value,)
    if not dims or axis is None or axis.ndim or not -len(dims) <= axis < len(dims):
        return None
    dim = int(axis) % len(dims)
    length = dims[dim]
    if length is None or length % count:
        return None
    parts = _equal_slices(dim, length // count, count)

    def split(split_dim, value):
        if value.shape[dim] != length:
            return split_op.kernel(np, split_dim, value, num_split=count)
        return tuple([value[part] for part in parts])

    def split_and_copy(split_dim, value):
        if value.shape[dim] != length:
            return split_op.kernel(np, split_dim, value, num_split=count)
        return tuple([value[part].copy() for part in parts])

    size = None if not dim or None in dims else math.prod(dims)
    return split_and_copy if size is not None and size <= _SMALL_SPLIT_ELEMENTS else split


# NumPy computes with contiguous parts of this many elements in less than half the time of views.
_SMALL_SPLIT_ELEMENTS = 1 << 10


def _shares_parts(value: Any, split_dim: Any, num_split: int) -> bool:
    axis = int(split_dim) % max(1, value.ndim)
    return num_split == 1 or (axis == 0 and has_aligned_rows(value))


split_op.forwards(output="value", view=True, when=_shares_parts)


@split_op.infer
def _(op) -> list[Dims]:
    dims, count = op.inputs[1]._dims, len(op.outputs)
    axis = _static_axis(op, 0, None if dims is None else len(dims))
    if axis is None:
        return [None if dims is None else (None,) * len(dims)] * count
    if dims is None:
        return [None] * count
    size = dims[axis]
    if size is not None:
        if size % count:
            raise InferenceError(
                f"Dimension size must be evenly divisible by {count} but is {size}\n\tNumber of "
                "ways to split should evenly divide the split dimension"
            )
        size //= count
    return [(*dims[:axis], size, *dims[axis + 1 :])] * count


@op(
    "SplitV",
    "value: T, size_splits: Tlen, split_dim: int32 -> output: num_split*T",
    view=True,
    static_inputs=("size_splits", "split_dim"),
    num_split=Attr("int", minimum=1),
    T=ANY,
    Tlen=INDEX64,
)
def split_v(xp, value, size_splits, split_dim, *, num_split):
    axis = _check_axis(split_dim, value.ndim, "split_dim_tensor")
    sizes = _piece_sizes(size_splits, num_split, value.shape[axis])
    if num_split == 1:
        return (value,)
    index = (slice(None),) * axis
    pieces, start = [], 0
    for size in sizes:
        pieces.append(value[(*index, slice(start, start + size))])
        start += size
    return tuple(pieces)


@split_v.bind
def _(ctx):
    if ctx.attrs["num_split"] > 1 or not ctx.op.graph._is_optimized:
        return None
    return lambda value, size_splits, split_dim: (value,)  # an Identity in TensorFlow


@split_v.gradient
def _(op, *grads):
    return ops.concat(list(grads), op.inputs[2]), None, None


split_v.forwards(output="value", view=True, when=_shares_parts)


def _piece_sizes(size_splits: np.ndarray, count: int, total: int) -> list[int]:
    """Returns the sizes of the pieces, inferring a size of -1."""
    if size_splits.ndim != 1 or size_splits.size != count:
        invalid(
            "size of the split_tensor must be 1-D and have the same elements as outputs got "
            f"{size_splits.ndim} -D and {size_splits.size} elements"
        )
    sizes = size_splits.tolist()
    if count == 1 and sizes[0] != total:
        invalid(
            "If there is only one output, it must have the same size as the input. Input size: "
            f"{total} output size: {sizes[0]}"
        )
    unknown = [i for i, size in enumerate(sizes) if size == -1]
    if len(unknown) > 1:
        invalid("There can only be one -1 in the input.")
    total_known = sum(size for size in sizes if size != -1)
    if total_known > total or (total_known != total and not unknown):
        invalid(
            "Determined shape must either match input shape along split_dim exactly if fully "
            "specified, or be less than the size of the input along split_dim if not fully "
            f"specified.  Got: {total_known}"
        )
    if unknown:
        sizes[unknown[0]] = total - total_known
    for i, size in enumerate(sizes):
        if size < 0:
            invalid(f"Split size at index {i} must be >= 0. Got: {size}")
    return sizes


@split_v.infer
def _(op) -> list[Dims]:
    dims, count = op.inputs[0]._dims, len(op.outputs)
    if dims == ():
        raise InferenceError("Can't split scalars")
    sizes = input_value(op, 1)
    axis = _static_axis(op, 2, None if dims is None else len(dims))
    if dims is None:
        return [None] * count
    if sizes is None:
        if axis is None:
            return [(None,) * len(dims)] * count
        return [(*dims[:axis], None, *dims[axis + 1 :])] * count
    if axis is None:
        axis = len(dims) - 1
    with_rank_at_least(dims, axis + 1)
    return [
        (*dims[:axis], size, *dims[axis + 1 :]) for size in _static_sizes(sizes, dims[axis], count)
    ]


def _static_sizes(size_splits: np.ndarray, total: int | None, count: int) -> list[int | None]:
    sizes = size_splits.ravel().tolist()
    if size_splits.ndim != 1 or len(sizes) != count:
        raise InferenceError("Length of size_splits should be equal to num_outputs")
    if sizes.count(-1) > 1:
        raise InferenceError("size_splits can only have one -1")
    total_known = sum(size for size in sizes if size != -1)
    if total is not None and (total_known > total if -1 in sizes else total_known != total):
        raise InferenceError(
            f"can't split axis of size {total} into pieces of size [{','.join(map(str, sizes))}]"
        )
    remainder = None if total is None else total - total_known
    return [remainder if size == -1 else size for size in sizes]


@public
def split(
    value: TensorLike,
    num_or_size_splits: TensorLike,
    axis: TensorLike = 0,
    num: int | None = None,
    name: str = "split",
) -> list[Tensor]:
    """Splits a tensor along an axis.

    Args:
      value: a tensor of rank 1 or more.
      num_or_size_splits: the number of equal pieces, an int; or the sizes of the pieces, an integer vector
        with at most one -1, which is inferred.
      axis: the axis, counted from the end if negative.
      num: the number of pieces, required if a size vector has no static shape.

    Returns:
      A list of tensors.

    Raises:
      ValueError, InvalidArgumentError (when run): if the pieces do not add up to the axis size.

    Example: `i, j, f, o = tf.split(gates, 4, axis=1)`.
    """
    size_splits = ops.convert_to_tensor(num_or_size_splits)
    if isinstance(num_or_size_splits, int | Dimension):
        return raw.Split(axis, value, num_split=int(num_or_size_splits), name=name)
    if size_splits._dims == ():
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. "
            f"Argument provided: {num_or_size_splits}"
        )
    if num is None:
        num = size_splits._dims[0] if size_splits._dims else None
        if num is None:
            raise ValueError(f"Cannot infer num from shape {num_or_size_splits}")
    return raw.SplitV(value, size_splits, axis, num_split=num, name=name)
