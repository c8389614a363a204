"""Tensors of a single value: Fill, zeros and ones, of a specified shape or the shape of another tensor.

Small tensors of a statically known shape become constants.
"""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_dims,
    input_value,
    same_shape,
    with_rank,
)
from tfmini._src.graph.static_values import narrow_captured_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.array.stack import is_tensor_like
from tfmini._src.ops.operands import (
    ANY,
    INDEX32,
    check_not_negative,
    dense,
    shape_text,
    unwrap_string,
)


@op(
    "Fill",
    "dims: index_type, value: T -> output: T",
    gradient=lambda op, grad: (None, ops.reduce_sum(grad)),
    static_inputs=("dims",),
    T=ANY,
    index_type=INDEX32,
)
def fill_op(xp, dims, value):
    value = dense(value)
    if dims.ndim != 1:
        invalid(f"dims must be a vector, got shape {shape_text(dims.shape)}")
    if value.ndim:
        invalid(f"value must be a scalar, got shape {shape_text(value.shape)}")
    sizes = dims.tolist()
    check_not_negative(sizes)
    result = xp.empty(sizes, value.dtype)
    result[...] = value
    return unwrap_string(result)


@fill_op.infer
def _(op) -> Dims:
    with_rank(op.inputs[0]._dims, 1)
    with_rank(op.inputs[1]._dims, 0)
    dims, value = input_dims(op, 0), input_value(op, 0)
    if value is not None and (value < 0).any():
        raise InferenceError("Fill dimensions must be >= 0")
    return dims


@public
def fill(dims: TensorLike, value: TensorLike, name: str | None = None) -> Tensor:
    """Creates a tensor filled with `value`.

    Args:
      dims: the shape, an integer vector.
      value: a scalar, which also determines the dtype.

    Raises:
      ValueError, InvalidArgumentError (when run): if a size is negative.

    Example: `tf.fill([2, 3], 9)`.
    """
    return narrow_captured_shape(raw.Fill(dims, value, name=name), dims)


@op("ZerosLike", "x: T -> y: T", infer=same_shape, differentiable=False, T=ANY)
def zeros_like_op(xp, x):
    if hasattr(x, "zeros"):  # a variant
        return x.zeros(xp)
    x = dense(x)
    if x.dtype == object:
        result = np.empty(x.shape, object)
        result.fill(b"")
        return unwrap_string(result)
    return xp.zeros(x.shape, x.dtype)


@zeros_like_op.bind
def _(ctx):
    dtype = ctx.attrs["T"].numpy
    if dtype.hasobject or not ctx.dims[0]:
        return None
    return lambda x: np.zeros(x.shape, dtype)


@op(
    "OnesLike",
    "x: T -> y: T",
    infer=same_shape,
    differentiable=False,
    T=(
        dtypes.bfloat16,
        dtypes.float16,
        dtypes.float32,
        dtypes.float64,
        dtypes.int8,
        dtypes.uint8,
        dtypes.int16,
        dtypes.uint16,
        dtypes.int32,
        dtypes.int64,
        dtypes.complex64,
        dtypes.complex128,
        dtypes.bool,
    ),
)
def ones_like_op(xp, x):
    return xp.ones(x.shape, x.dtype)


def _is_small(shape: Any) -> bool:
    """Whether a tensor of `shape` becomes a constant.

    If a size is a tensor or variable, the product and the comparison become nodes, as in TensorFlow, and converting the
    result to bool raises TypeError.
    """
    if shape.__class__ is list and set(map(type, shape)) == {int}:
        return math.prod(shape) < 1000
    if is_tensor_like(shape):
        return bool(shape < 1000)
    if isinstance(shape, list | tuple) and any(is_tensor_like(d) for d in shape):
        return bool(functools.reduce(operator.mul, shape) < 1000)
    if isinstance(shape, TensorShape):
        shape = [d if d is not None else np.inf for d in shape.as_list()] if shape else [np.inf]
    return bool(np.prod(shape) < 1000)


def _filled_tensor(shape: Any, dtype: Any, value: Any, name: str) -> Tensor:
    if not isinstance(shape, Tensor):
        try:
            try:
                if _is_small(shape):
                    return ops.constant(value, dtype, [int(d) for d in shape], name=name)
            except TypeError:
                pass  # a scalar, or an unknown size
            shape = ops.convert_to_tensor(TensorShape(shape))
        except (TypeError, ValueError):
            shape = ops.convert_to_tensor(shape, dtype=dtypes.int32)
    if not shape._shape_tuple():
        shape = ops.reshape(shape, [-1])
    return ops.fill(shape, ops.constant(value, dtype), name=name)


@public
def zeros(shape: TensorLike, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Creates a tensor of zeros: False for bool, empty strings for string.

    Args:
      shape: a list of sizes, a TensorShape, or an integer vector.
      dtype: the dtype of the result.

    Example: `tf.zeros([batch_size, 128])`.
    """
    dtype = dtypes.as_dtype(dtype).base_dtype
    with name_scope(name, "zeros", [shape]) as name:
        zero: Any = 0
        if dtype is dtypes.bool:
            zero = False
        elif dtype is dtypes.string:
            zero = ""
        return _filled_tensor(shape, dtype, zero, name)


@public
def ones(shape: TensorLike, dtype: DTypeLike = dtypes.float32, name: str | None = None) -> Tensor:
    """Creates a tensor of ones.

    Args:
      shape: a list of sizes, a TensorShape, or an integer vector.
      dtype: the dtype of the result, numeric or bool.
    """
    dtype = dtypes.as_dtype(dtype).base_dtype
    with name_scope(name, "ones", [shape]) as name:
        return _filled_tensor(shape, dtype, True if dtype == dtypes.bool else 1, name)


@public
def zeros_like(
    tensor: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    optimize: bool = True,
) -> Tensor:
    """Creates a tensor of zeros with the shape of another tensor.

    Args:
      tensor: the tensor whose shape is used.
      dtype: the dtype of the result; by default the dtype of `tensor`.
      optimize: whether to create a constant if the static shape is known.
    """
    with name_scope(name, "zeros_like", [tensor]) as name:
        tensor = ops.convert_to_tensor(tensor, name="tensor")
        if optimize and tensor.shape.is_fully_defined() and tensor.dtype != dtypes.variant:
            return zeros(tensor.shape, dtype=dtype or tensor.dtype, name=name)
        if dtype is not None and dtype != tensor.dtype and dtype != dtypes.variant:
            return zeros(ops.shape_internal(tensor, optimize=optimize), dtype=dtype, name=name)
        return raw.ZerosLike(tensor, name=name)


@public
def ones_like(
    tensor: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    optimize: bool = True,
) -> Tensor:
    """Creates a tensor of ones with the shape of another tensor.

    Args:
      tensor: the tensor whose shape is used.
      dtype: the dtype of the result; by default the dtype of `tensor`.
      optimize: whether to use a constant shape if the static shape is known.
    """
    with name_scope(name, "ones_like", [tensor]) as name:
        tensor = ops.convert_to_tensor(tensor, name="tensor")
        shape = ops.shape_internal(tensor, optimize=optimize)
        result = ones(shape, dtype=tensor.dtype if dtype is None else dtype, name=name)
        result.set_shape(tensor.get_shape())
        return result
