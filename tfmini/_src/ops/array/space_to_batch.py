"""Moving of spatial blocks to the batch axis and back, with padding and cropping."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    MAX_AXES,
    Dims,
    InferenceError,
    input_value,
    merge,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, INDEX32, shape_text


def _block_sizes(block_shape: Any) -> list:
    if block_shape.ndim != 1:
        invalid(f"block_shape rank should be 1 instead of {block_shape.ndim}")
    return block_shape.tolist()


def _check_blocks(value: Any, block: list, pairs: Any, label: str, title: str) -> None:
    """Performs the checks common to space_to_batch and batch_to_space."""
    count = len(block)
    if value.ndim < count + 1:
        invalid(f"input rank should be >= {count + 1} instead of {value.ndim}")
    if pairs.shape != (count, 2):
        invalid(f"{label} should have shape [{count}, 2] instead of {shape_text(pairs.shape)}")
    if math.prod(block) < 1:
        invalid(f"Product of block sizes must be positive, got {math.prod(block)}")
    for i, size in enumerate(block):
        if size < 1:
            invalid(f"block_shape[{i}] must be positive, but it was {size}")
    if (pairs < 0).any():
        invalid(f"{title} must be non-negative")


def _to_batch(xp: Any, value: Any, block: list, paddings: Any) -> Any:
    _check_blocks(value, block, paddings, "paddings", "Paddings")
    count = len(block)
    pairs = paddings.tolist()
    padded = [size + sum(pair) for size, pair in zip(value.shape[1:], pairs)]
    for i, (size, step) in enumerate(zip(padded, block)):
        if size % step:
            invalid(f"padded_shape[{i}]={size} is not divisible by block_shape[{i}]={step}")
    if paddings.any():
        interior = [slice(first, size - last) for size, (first, last) in zip(padded, pairs)]
        shape = value.shape[0], *padded, *value.shape[count + 1 :]
        unpadded, value = value, xp.zeros(shape, value.dtype)  # faster than `pad`
        value[(slice(None), *interior)] = unpadded
    batch, tail = value.shape[0], value.shape[count + 1 :]
    split = [n for size, step in zip(padded, block) for n in (size // step, step)]
    value = value.reshape(batch, *split, *tail)
    steps = [2 * i + 2 for i in range(count)]
    outer = [2 * i + 1 for i in range(count)]
    value = value.transpose(*steps, 0, *outer, *range(2 * count + 1, value.ndim))
    sizes = [size // step for size, step in zip(padded, block)]
    return value.reshape(batch * math.prod(block), *sizes, *tail)


def _from_batch(xp: Any, value: Any, block: list, crops: Any) -> Any:
    _check_blocks(value, block, crops, "crops", "Crops")
    count, product = len(block), math.prod(block)
    batch = value.shape[0]
    if batch % product:
        invalid(
            f"Input batch dimension ({batch}) is not divisible by product of block sizes ({product})"
        )
    pairs = crops.tolist()
    for i, (size, step, pair) in enumerate(zip(value.shape[1:], block, pairs)):
        cropped = size * step - sum(pair)
        if cropped < 0:
            invalid(f"cropped_shape[{i}]={cropped} must be non-negative")
    sizes, tail = value.shape[1 : count + 1], value.shape[count + 1 :]
    value = value.reshape(*block, batch // product, *sizes, *tail)
    woven = [axis for i in range(count) for axis in (count + 1 + i, i)]
    value = value.transpose(count, *woven, *range(2 * count + 1, value.ndim))
    padded = [size * step for size, step in zip(sizes, block)]
    value = value.reshape(batch // product, *padded, *tail)
    slices = [slice(first, size - last) for size, (first, last) in zip(padded, pairs)]
    return value[(slice(None), *slices)]


def _count_axes(dims: Dims) -> int:
    """Returns the number of blocked axes from the static shape of `block_shape`."""
    if dims is None or len(dims) != 1:
        raise InferenceError("block_shape must have rank 1.")
    if dims[0] is None:
        raise InferenceError("block_shape must have known size.")
    if dims[0] > MAX_AXES:
        raise InferenceError(f"block_shape must not have {dims[0]} sizes")
    return dims[0]


def _static_arguments(
    op: Any, dims: Dims, count: int, pairs_at: int
) -> tuple[tuple, list | None, list | None]:
    """Checks ranks, then returns the statically known dims, block, and paddings or crops."""
    dims = with_rank_at_least(dims, count + 1)
    merge(op.inputs[pairs_at]._dims, (count, 2))
    if pairs_at == 1:
        block: list | None = [op.attrs["block_size"]] * count
    else:
        provided = input_value(op, 1)
        block = None if provided is None else provided.tolist()
    pairs = input_value(op, pairs_at)
    if block is not None and any(size < 1 for size in block):
        raise InferenceError("block_shape must be positive")
    sizes = (None,) * (count + 1) if dims is None else dims
    return sizes, block, None if pairs is None else pairs.tolist()


def divide_size(size: int | None, divisor: int) -> int | None:
    """Divides a static size; raises InferenceError if there is a remainder."""
    if size is None:
        return None
    if size % divisor:
        raise InferenceError(f"Dimension size must be evenly divisible by {divisor} but is {size}")
    return size // divisor


def _less(size: int | None, crop: int) -> int | None:
    if size is None:
        return None
    if size < crop:
        raise InferenceError(f"Negative dimension size caused by subtracting {crop} from {size}")
    return size - crop


def _batched_dims(op: Any, dims: Dims, count: int, pairs_at: int) -> Dims:
    static, block, paddings = _static_arguments(op, dims, count, pairs_at)
    batch = None if block is None or static[0] is None else static[0] * math.prod(block)
    if not count:
        batch = static[0]
    sizes: list[int | None] = [None] * count
    for i, pair in enumerate(paddings or ()):
        if min(pair) < 0:
            raise InferenceError("paddings cannot be negative")
        size = static[i + 1]
        if block is not None and size is not None:
            sizes[i] = divide_size(size + sum(pair), block[i])
    return None if dims is None else (batch, *sizes, *dims[count + 1 :])


def _unbatched_dims(op: Any, dims: Dims, count: int, pairs_at: int) -> Dims:
    static, block, crops = _static_arguments(op, dims, count, pairs_at)
    batch = static[0] if block is not None or not count else None
    for size in block or ():
        batch = divide_size(batch, size)
    sizes: list[int | None] = [None] * count
    for i, pair in enumerate(crops or ()):
        if min(pair) < 0:
            raise InferenceError("crops cannot be negative")
        size = static[i + 1]
        if block is not None and size is not None:
            sizes[i] = _less(_less(size * block[i], pair[0]), pair[1])
    return None if dims is None else (batch, *sizes, *dims[count + 1 :])


@op(
    "SpaceToBatchND",
    "input: T, block_shape: Tblock_shape, paddings: Tpaddings -> output: T",
    infer=lambda op: _batched_dims(op, op.inputs[0]._dims, _count_axes(op.inputs[1]._dims), 2),
    gradient=lambda op, grad: (raw.BatchToSpaceND(grad, op.inputs[1], op.inputs[2]), None, None),
    view=True,
    static_inputs=("block_shape", "paddings"),
    T=ANY,
    Tblock_shape=INDEX32,
    Tpaddings=INDEX32,
)
def space_to_batch_nd_op(xp, value, block_shape, paddings):
    return _to_batch(xp, value, _block_sizes(block_shape), paddings)


space_to_batch_nd_op.forwards(
    output="input",
    when=lambda block_shape, paddings: not (block_shape != 1).any() and not paddings.any(),
)


@op(
    "BatchToSpaceND",
    "input: T, block_shape: Tblock_shape, crops: Tcrops -> output: T",
    infer=lambda op: _unbatched_dims(op, op.inputs[0]._dims, _count_axes(op.inputs[1]._dims), 2),
    gradient=lambda op, grad: (raw.SpaceToBatchND(grad, op.inputs[1], op.inputs[2]), None, None),
    view=True,
    static_inputs=("block_shape", "crops"),
    T=ANY,
    Tblock_shape=INDEX32,
    Tcrops=INDEX32,
)
def batch_to_space_nd_op(xp, value, block_shape, crops):
    return _from_batch(xp, value, _block_sizes(block_shape), crops)


batch_to_space_nd_op.forwards(
    output="input",
    when=lambda block_shape, crops: not (block_shape != 1).any() and not crops.any(),
)


@op(
    "SpaceToBatch",
    "input: T, paddings: Tpaddings -> output: T",
    view=True,
    static_inputs=("paddings",),
    T=ANY,
    Tpaddings=INDEX32,
    block_size=Attr("int", minimum=2),
)
def space_to_batch_op(xp, value, paddings, *, block_size):
    if value.ndim != 4:
        invalid(f"Input rank should be: 4instead of: {value.ndim}")
    return _to_batch(xp, value, [block_size] * 2, paddings)


@space_to_batch_op.infer
def _(op) -> Dims:
    dims = with_rank(op.inputs[0]._dims, 4)
    return _batched_dims(op, dims, 2, 1)


@space_to_batch_op.gradient
def _(op, grad):
    block_size = op.attrs["block_size"]
    return ops.batch_to_space(grad, op.inputs[1], block_size=block_size), None


@op(
    "BatchToSpace",
    "input: T, crops: Tidx -> output: T",
    view=True,
    static_inputs=("crops",),
    T=ANY,
    block_size=Attr("int", minimum=2),
    Tidx=INDEX32,
)
def batch_to_space_op(xp, value, crops, *, block_size):
    if value.ndim != 4:
        invalid(f"Input rank should be: 4instead of: {value.ndim}")
    return _from_batch(xp, value, [block_size] * 2, crops)


@batch_to_space_op.infer
def _(op) -> Dims:
    dims = with_rank(op.inputs[0]._dims, 4)
    return _unbatched_dims(op, dims, 2, 1)


@batch_to_space_op.gradient
def _(op, grad):
    block_size = op.attrs["block_size"]
    return ops.space_to_batch(grad, op.inputs[1], block_size=block_size), None


@public
def space_to_batch_nd(
    input: TensorLike, block_shape: TensorLike, paddings: TensorLike, name: str | None = None
) -> Tensor:
    """Moves spatial blocks to the batch axis, where each position within a block becomes a separate batch entry.

    Args:
      input: [batch, *spatial, ...] tensor with m spatial axes.
      block_shape: integer vector [m], the block size along each spatial axis, at least 1.
      paddings: integer [m, 2], zeros to add before and after; the padded sizes must be multiples of the block sizes.

    Returns:
      Tensor [batch * product(block_shape), *(padded spatial / block_shape), ...].

    Raises:
      ValueError, InvalidArgumentError (when run): if the padded sizes are not multiples of the block sizes.

    Example: `tf.space_to_batch_nd(x, [2, 2], [[0, 0], [0, 0]])` turns `[[[[1], [2]], [[3], [4]]]]` into
    `[[[[1]]], [[[2]]], [[[3]]], [[[4]]]]`.
    """
    return raw.SpaceToBatchND(input, block_shape, paddings, name=name)


@public
def batch_to_space_nd(
    input: TensorLike, block_shape: TensorLike, crops: TensorLike, name: str | None = None
) -> Tensor:
    """Inverse of `tf.space_to_batch_nd`: interleaves parts of the batch into blocks, then crops the result.

    Args:
      input: [batch, *spatial, ...] tensor with m spatial axes.
      block_shape: integer vector [m], whose product divides the batch size.
      crops: integer [m, 2], the amounts to crop at the start and the end.

    Returns:
      Tensor [batch / product(block_shape), *(spatial * block_shape - crops), ...].

    Raises:
      ValueError, InvalidArgumentError (when run): if the sizes do not match.
    """
    return raw.BatchToSpaceND(input, block_shape, crops, name=name)


def _call_with_block_size(
    function: Any, input: Any, pairs: Any, size: Any, name: str | None
) -> Tensor:
    result = function(input, np.array([size, size], np.int64), pairs, name=name)
    result.set_shape(result.shape.with_rank(4))
    return result


@public
def space_to_batch(
    input: TensorLike,
    paddings: TensorLike,
    block_size: int | None = None,
    name: str | None = None,
    block_shape: TensorLike | None = None,
) -> Tensor:
    """`tf.space_to_batch_nd` for images with square blocks.

    Args:
      input: [batch, height, width, depth] tensor.
      paddings: integer [2, 2], the zeros to add before and after.
      block_size: int, the side of a block.
      block_shape: an alias of `block_size`.
    """
    size = deprecated_argument_lookup("block_shape", block_shape, "block_size", block_size)
    return _call_with_block_size(space_to_batch_nd, input, paddings, size, name)


@public
def batch_to_space(
    input: TensorLike,
    crops: TensorLike,
    block_size: int,
    name: str | None = None,
    block_shape: TensorLike | None = None,
) -> Tensor:
    """`tf.batch_to_space_nd` for images with square blocks; the inverse of `tf.space_to_batch`.

    Takes the arguments of `tf.space_to_batch`, except for `crops` instead of `paddings`: integer [2, 2], the amounts to
    crop at the start and the end.
    """
    size = deprecated_argument_lookup("block_shape", block_shape, "block_size", block_size)
    return _call_with_block_size(batch_to_space_nd, input, crops, size, name)


def batch_to_space_v2(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Tensor:
    """`tf.compat.v2.batch_to_space`: same as `tf.batch_to_space_nd`, but an int `block_shape` means square blocks."""
    if isinstance(block_shape, int):
        block_shape = np.array([block_shape, block_shape], np.int64)
    return batch_to_space_nd(input, block_shape, crops, name)


@public
def required_space_to_batch_paddings(
    input_shape: ShapeLike | Sequence[ShapeLike],
    block_shape: TensorLike,
    base_paddings: TensorLike | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns paddings that make a shape divisible into blocks, and the crops that undo them.

    Args:
      input_shape: int32 vector [m].
      block_shape: int32 vector [m] of known size.
      base_paddings: int32 [m, 2], the minimum paddings; zeros by default.

    Returns:
      (paddings [m, 2], crops [m, 2]), int32.

    Raises:
      ValueError: if the argument shapes do not match.
    """
    with name_scope(name, "required_space_to_batch_paddings", [input_shape, block_shape]):
        sizes = ops.convert_to_tensor(input_shape, dtype=dtypes.int32, name="input_shape")
        block = ops.convert_to_tensor(block_shape, dtype=dtypes.int32, name="block_shape")
        block.shape.assert_is_fully_defined()
        block.shape.assert_has_rank(1)
        count = block.shape.as_list()[0]
        if count == 0:
            return ops.zeros([0, 2], dtypes.int32), ops.zeros([0, 2], dtypes.int32)
        sizes.shape.assert_is_compatible_with([count])
        if base_paddings is not None:
            base = ops.convert_to_tensor(base_paddings, dtype=dtypes.int32, name="base_paddings")
            base.shape.assert_is_compatible_with([count, 2])
        else:
            base = ops.zeros([count, 2], dtypes.int32)
        static = [get_static_value(tensor) for tensor in (block, sizes, base)]
        if all(value is not None for value in static):
            block, sizes, base = static
        before, behind = base[:, 0], base[:, 1]
        total = sizes + before + behind
        extra = (block - total % block) % block
        end = behind + extra
        pairs = [[before[i], end[i]] for i in range(count)]
        paddings = ops.stack(pairs, name="paddings")
        crops = ops.stack([[0, extra[i]] for i in range(count)], name="crops")
        return paddings, crops
