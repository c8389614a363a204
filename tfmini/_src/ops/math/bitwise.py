"""Bitwise ops on integers: and, or, exclusive or, shifts, population count."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    broadcast,
    same_shape,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.type_lists import BITS
from tfmini._src.ops.ufuncs import binary, unary

bitwise_and_op = binary("BitwiseAnd", "bitwise_and", BITS, commutative=True)
bitwise_or_op = binary("BitwiseOr", "bitwise_or", BITS, commutative=True)
bitwise_xor_op = binary("BitwiseXor", "bitwise_xor", BITS, commutative=True)
invert_op = unary("Invert", "invert", BITS)


@op("LeftShift", "x: T, y: T -> z: T", elementwise=True, T=BITS)
def left_shift_op(xp, x, y):
    return xp.left_shift(x, _distance(xp, y))


@op("RightShift", "x: T, y: T -> z: T", elementwise=True, T=BITS)
def right_shift_op(xp, x, y):
    return xp.right_shift(x, _distance(xp, y))


def _distance(xp: Any, y: Any) -> Any:
    """Returns the shift amount clamped to [0, bits - 1], as in TensorFlow."""
    return xp.clip(y, 0, 8 * y.dtype.itemsize - 1)


@op("PopulationCount", "x: T -> y: uint8", elementwise=True, T=BITS)
def population_count_op(xp, x):
    unsigned = np.dtype(f"u{x.dtype.itemsize}")
    return xp.bitwise_count(x.view(unsigned)).astype("u1", copy=False)


@op(
    "CompareAndBitpack",
    "input: T, threshold: T -> output: uint8",
    T=(
        dtypes.bool,
        dtypes.float16,
        dtypes.float32,
        dtypes.float64,
        dtypes.int8,
        dtypes.int16,
        dtypes.int32,
        dtypes.int64,
    ),
)
def compare_and_bitpack_op(xp, input, threshold):
    if threshold.ndim:
        invalid(f"Compare must be a scalar, but saw shape: {shape_text(threshold.shape)}")
    if not input.ndim:
        invalid("Input should be at least a vector, but saw a scalar.")
    if input.shape[-1] % 8:
        problem = f"Inner dimension of input should be divisible by 8, but saw shape: {shape_text(input.shape)}"
        invalid(problem)
    # TensorFlow's kernel for booleans ignores the threshold.
    is_above = input if input.dtype.kind == "b" else input > threshold
    packed = xp.packbits(is_above.reshape(-1))
    return packed.reshape(*input.shape[:-1], input.shape[-1] // 8)


@compare_and_bitpack_op.infer
def _(op) -> Dims:
    dims = with_rank_at_least(op.inputs[0]._dims, 1)
    with_rank(op.inputs[1]._dims, 0)
    if dims is None:
        return None
    size = dims[-1]
    if size is not None and size % 8:
        raise InferenceError(f"Dimension size must be evenly divisible by 8 but is {size}")
    return (*dims[:-1], None if size is None else size // 8)


for _op, _rule in (
    (left_shift_op, broadcast),
    (right_shift_op, broadcast),
    (population_count_op, same_shape),
):
    _op.infer(_rule)
for _op in (
    *(bitwise_and_op, bitwise_or_op, bitwise_xor_op, invert_op),
    *(left_shift_op, right_shift_op, population_count_op),
):
    _op.differentiable = False


@public
def bitwise_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns the bitwise AND of integer tensors of the same dtype whose shapes broadcast."""
    return raw.BitwiseAnd(x, y, name=name)


@public
def bitwise_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns the bitwise OR of integer tensors of the same dtype whose shapes broadcast."""
    return raw.BitwiseOr(x, y, name=name)


@public
def bitwise_xor(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns the bitwise XOR of integer tensors of the same dtype whose shapes broadcast."""
    return raw.BitwiseXor(x, y, name=name)


@public
def invert(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the bitwise complement of an integer tensor."""
    return raw.Invert(x, name=name)


@public
def left_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Shifts `x` left by `y` bits, with `y` clamped to [0, bits - 1].

    Args:
      x, y: integer tensors of the same dtype whose shapes broadcast.
    """
    return raw.LeftShift(x, y, name=name)


@public
def right_shift(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Shifts `x` right by `y` bits, sign-extending signed integers; see `tf.bitwise.left_shift`."""
    return raw.RightShift(x, y, name=name)
