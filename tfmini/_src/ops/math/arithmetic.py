"""Broadcasting addition, subtraction, multiplication and powers."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native.elementwise_program import evaluate_series
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.shape_inference import broadcast
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_gradient import (
    broadcast_operands,
    fold_static_operands,
    is_scalar_without_gradient,
    same_static_shape,
    unneeded_inputs,
)
from tfmini._src.ops.operands import dense, unwrap_string
from tfmini._src.ops.type_lists import (
    COMPLEX,
    FLOATS,
    NO_NAN,
    SIGNED_COMPLEX,
    SMALL_AND_SIGNED_COMPLEX,
)
from tfmini._src.ops.ufuncs import binary

_ADDABLE = (*FLOATS, dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, *COMPLEX)


@op("Add", "x: T, y: T -> z: T", ufunc="add", elementwise=True, T=(*_ADDABLE, dtypes.string))
def add_op(xp, x, y, *, T):
    return _join(x, y) if T is dtypes.string else xp.add(x, y)


add_op.infer(broadcast)
add_op.bind(lambda ctx: _join if ctx.attrs["T"] is dtypes.string else ctx.xp.add)


def _join(x: Any, y: Any) -> Any:
    return unwrap_string(np.asarray(np.add(dense(x), dense(y)), object))


add_v2_op = binary("AddV2", "add", _ADDABLE, commutative=True, aggregate=True)
sub_op = binary("Sub", "subtract", SMALL_AND_SIGNED_COMPLEX)
mul_op = binary("Mul", "multiply", SMALL_AND_SIGNED_COMPLEX, commutative=True)


def _add_gradient(op: Any, grad: Any) -> tuple:
    x, y = op.inputs
    if is_scalar_without_gradient(op):
        return grad, None
    if same_static_shape(x, y, grad):
        return grad, grad
    to_x, to_y = fold_static_operands(x, y, grad, unneeded_inputs(op))
    return to_x.reduce(grad), to_y.reduce(grad)


add_op.gradient(_add_gradient)
add_v2_op.gradient(_add_gradient)


@sub_op.gradient
def _(op, grad):
    x, y = op.inputs
    if is_scalar_without_gradient(op):
        return grad, None
    if same_static_shape(x, y, grad):
        return grad, -grad
    to_x, to_y = fold_static_operands(x, y, grad, unneeded_inputs(op))
    return to_x.reduce(grad), to_y.reduce(-grad) if to_y.needed else None


@mul_op.gradient
def _(op, grad):
    x, y = op.inputs
    if is_scalar_without_gradient(op):
        return raw.Mul(grad, ops.conj(y)), None
    if same_static_shape(x, y, grad) and grad.dtype in (dtypes.int32, dtypes.float32):
        return raw.Mul(grad, y), raw.Mul(grad, x)
    to_x, to_y = fold_static_operands(x, y, grad, unneeded_inputs(op))
    x, y = ops.conj(x), ops.conj(y)
    x_grad = to_x.reduce(raw.Mul(grad, y)) if to_x.needed else None
    return x_grad, to_y.reduce(raw.Mul(x, grad)) if to_y.needed else None


@op("MulNoNan", "x: T, y: T -> z: T", infer=broadcast, elementwise=True, T=NO_NAN)
def mul_no_nan_op(xp, x, y):
    product = xp.asarray(xp.multiply(x, y))
    xp.copyto(product, 0, where=xp.equal(y, 0))
    return product


@mul_no_nan_op.gradient
def _(op, grad):
    x, y = op.inputs
    if same_static_shape(x, y, grad):
        return raw.MulNoNan(grad, y), raw.MulNoNan(x, grad)
    to_x, to_y = broadcast_operands(x, y)
    return to_x.reduce(raw.MulNoNan(grad, y)), to_y.reduce(raw.MulNoNan(x, grad))


@op(
    "SquaredDifference",
    "x: T, y: T -> z: T",
    infer=broadcast,
    elementwise=True,
    commutative=True,
    T=SIGNED_COMPLEX,
)
def squared_difference_op(xp, x, y):
    difference = xp.subtract(x, y)
    if difference.dtype.kind == "c":
        return xp.multiply(difference, xp.conjugate(difference))
    return xp.square(difference)


squared_difference_op.computes(("subtract", "x", "y"), ("square", 0), exact=True)


@squared_difference_op.gradient
def _(op, grad):
    x, y = op.inputs
    with control_dependencies([grad]):
        x_grad = ops.scalar_mul(2.0, grad) * (x - y)
    if same_static_shape(x, y, grad):
        return x_grad, -x_grad
    to_x, to_y = fold_static_operands(x, y, grad, unneeded_inputs(op))
    return to_x.reduce(x_grad), -to_y.reduce(x_grad) if to_y.needed else None


@op(
    "Pow",
    "x: T, y: T -> z: T",
    host_or_cuda=True,
    infer=broadcast,
    elementwise=True,
    T=(
        *(dtypes.bfloat16, dtypes.float32, dtypes.float16, dtypes.float64),
        *(dtypes.int32, dtypes.int64, dtypes.complex64, dtypes.complex128),
    ),
)
def pow_op(xp, x, y):
    if y.ndim == 0 and y == 2:
        return xp.square(x)
    if xp is np and x.ndim and y.ndim == 0:  # has faster functions for some exponents
        if (native := evaluate_series("power", x, y)) is not None:
            return native
    if y.dtype.kind == "i" and (y < 0).any() and xp.add(x, y).size:  # checks the shapes first
        invalid("Integers to negative integer powers are not allowed")
    if y.dtype.kind == "c":  # exp(y * log(x))
        return xp.where((x == 0) & (y == 0), y.dtype.type(complex(np.nan, np.nan)), xp.power(x, y))
    return xp.power(x, y)


pow_op.computes(("power", "x", "y"), native=(("power", "x", "y"),))
# No check of exponents, which would synchronize.
pow_op.on_gpu(lambda gpu, x, y: gpu.xp.power(x, y))


@pow_op.gradient
def _(op, grad):
    x, y = op.inputs
    to_x, to_y = fold_static_operands(x, y, grad)
    x, y = ops.conj(x), ops.conj(y)
    x_grad = to_x.reduce(grad * y * ops.pow(x, y - 1))
    z = ops.conj(op.outputs[0])
    # The logarithm is defined for positive x (complex: nonzero x); elsewhere the gradient is 0.
    mask = ops.not_equal(x, 0) if x.dtype.is_complex else x > 0
    safe_x = ops.where(mask, x, ops.ones_like(x))
    log_x = ops.where(mask, ops.log(safe_x), ops.zeros_like(x))
    return x_grad, to_y.reduce(grad * z * log_x)


@public
def add(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x + y`, elementwise.

    Args:
      x, y: tensors of the same dtype (numeric, or string for concatenation) whose shapes broadcast.

    Returns:
      A Tensor of the same dtype and the broadcast shape.

    Example: `tf.add([1, 2], 10)` is `[11, 12]`.
    """
    return raw.Add(x, y, name=name)


@public
def subtract(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x - y`, elementwise, for tensors of the same numeric dtype whose shapes broadcast."""
    return raw.Sub(x, y, name=name)


@public
def multiply(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x * y`, elementwise, for tensors of the same numeric dtype whose shapes broadcast."""
    return raw.Mul(x, y, name=name)


@public
def multiply_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x * y`, elementwise, but 0 where `y` is 0, even if `x` is infinite or NaN there.

    Args:
      x, y: float or complex tensors of the same dtype whose shapes broadcast.

    Raises:
      TypeError: if the dtypes differ.
    """
    with name_scope(name, "multiply_no_nan", [x, y]) as name:
        x = ops.convert_to_tensor(x, name="x")
        y = ops.convert_to_tensor(y, name="y", dtype=x.dtype.base_dtype)
        return raw.MulNoNan(x, y, name=name)


@public
def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """Multiplies a Tensor or IndexedSlices by a scalar, preserving its type.

    Args:
      scalar: a number or a scalar tensor.
      x: a Tensor or IndexedSlices.

    Raises:
      ValueError: if `scalar` is not statically known to be a scalar.
    """
    scalar = ops.convert_to_tensor(scalar, dtype=x.dtype.base_dtype, name="scalar")
    if scalar.shape.ndims != 0:
        raise ValueError(f"Only scalar multiply works, got shape {scalar.shape}")
    if isinstance(x, IndexedSlices):
        return IndexedSlices(raw.Mul(scalar, x.values, name=name), x.indices, x.dense_shape)
    return raw.Mul(scalar, x, name=name)


def scalar_mul_v2(scalar: Any, x: Any, name: str | None = None) -> Any:
    """`tf.compat.v2.math.scalar_mul`: same as `tf.scalar_mul`, in the name scope "scalar_mul"."""
    with name_scope(name, "scalar_mul", [x]) as name:
        return scalar_mul(scalar, x, name)


@public
def squared_difference(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `(x - y) * conj(x - y)`, elementwise, for tensors of the same dtype whose shapes broadcast."""
    return raw.SquaredDifference(x, y, name=name)


@public
def pow(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Raises `x` to the power of `y`, elementwise.

    Args:
      x, y: tensors of the same dtype (float, complex, int32 or int64) whose shapes broadcast.

    Raises:
      InvalidArgumentError (when run): for a negative integer power.

    Example: `tf.pow([2, 3], [3, 2])` is `[8, 9]`.
    """
    with name_scope(name, "Pow", [x]) as name:
        return raw.Pow(x, y, name=name)
