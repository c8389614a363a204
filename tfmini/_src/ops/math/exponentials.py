"""Exponentials and logarithms; sigmoid and tanh."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.host.native.math.complex_exponential import exponential
from tfmini._src.devices.host.threads import parallel_function
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.shape_inference import broadcast, same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_gradient import broadcast_operands
from tfmini._src.ops.operands import extend_to_sparse
from tfmini._src.ops.type_lists import FLOATS_COMPLEX, NO_NAN
from tfmini._src.ops.ufuncs import chain_rule, unary


def _complex_logarithm(xp: Any, x: Any) -> Any:
    """Returns `log(x)`; for complex64 on a CPU by parts, which takes a quarter of the C library's time."""
    if xp is not np:
        return xp.log(x)
    if x.dtype != np.complex64:
        return parallel_function("log", x.shape)(x)
    result = np.empty(x.shape, x.dtype)
    result.real = np.log(np.abs(x.astype(np.complex128)))  # a float's square would overflow
    result.imag = np.arctan2(x.imag, x.real)
    return result


exp_op = unary(
    "Exp",
    "exp",
    FLOATS_COMPLEX,
    complex_kernel=lambda xp, x: exponential(x) if xp is np else xp.exp(x),
)
expm1_op = unary("Expm1", "expm1", FLOATS_COMPLEX, gradient=chain_rule(lambda x: raw.Exp(x)))
log_op = unary(
    "Log",
    "log",
    FLOATS_COMPLEX,
    complex_kernel=_complex_logarithm,
    gradient=chain_rule(lambda x: raw.Reciprocal(x)),
)
log1p_op = unary(
    "Log1p", "log1p", FLOATS_COMPLEX, gradient=chain_rule(lambda x: raw.Reciprocal(1 + x))
)
tanh_op = unary("Tanh", "tanh", FLOATS_COMPLEX)


@op("Sigmoid", "x: T -> y: T", infer=same_shape, elementwise=True, T=FLOATS_COMPLEX)
def sigmoid_op(xp, x):
    if x.dtype.char == "f" or x.dtype.kind == "V":  # bfloat16
        # Half the time of exp, as accurate as TensorFlow's kernel, which also uses tanh.
        half = x.dtype.type(0.5)
        y = xp.tanh(xp.multiply(x, half))
        if not y.ndim:
            return y * half + half
        xp.multiply(y, half, out=y)
        return xp.add(y, half, out=y)
    return xp.reciprocal(xp.add(xp.exp(xp.negative(x)), x.dtype.type(1)))


@sigmoid_op.bind
def _(ctx):
    if not ctx.dims[0] or ctx.attrs["T"].numpy.char != "f":
        return None
    half = np.array(0.5, np.float32)  # NumPy converts an array faster than a scalar

    def sigmoid(x):
        y = np.multiply(x, half)
        np.tanh(y, y)
        np.multiply(y, half, y)
        return np.add(y, half, y)

    return sigmoid


@op("SigmoidGrad", "y: T, dy: T -> z: T", infer=same_shape, elementwise=True, T=FLOATS_COMPLEX)
def sigmoid_grad_op(xp, y, dy):
    return xp.multiply(dy, xp.multiply(y, xp.subtract(y.dtype.type(1), y)))


@op("TanhGrad", "y: T, dy: T -> z: T", infer=same_shape, elementwise=True, T=FLOATS_COMPLEX)
def tanh_grad_op(xp, y, dy):
    return xp.multiply(dy, xp.subtract(y.dtype.type(1), xp.square(y)))


sigmoid_op.computes(
    *(("negative", "x"), ("exp", 0), ("add", 1, 1.0), ("reciprocal", 2)), native=(("expit", "x"),)
)
sigmoid_grad_op.computes(
    *(("subtract", 1.0, "x"), ("multiply", "x", 0), ("multiply", "y", 1)), exact=True
)
tanh_grad_op.computes(("square", "x"), ("subtract", 1.0, 0), ("multiply", "y", 1), exact=True)


@op("Xlogy", "x: T, y: T -> z: T", infer=broadcast, elementwise=True, T=NO_NAN)
def xlogy_op(xp, x, y):
    return _zero_where_zero(xp, xp.multiply(x, xp.log(y)), x)


@op("Xdivy", "x: T, y: T -> z: T", infer=broadcast, elementwise=True, T=NO_NAN)
def xdivy_op(xp, x, y):
    return _zero_where_zero(xp, xp.divide(x, y), x)


xlogy_op.computes(native=(("log", "y"), ("multiply", "x", 0), ("where", "x", 1, 0.0)))
xdivy_op.computes(native=(("divide", "x", "y"), ("where", "x", 0, 0.0)))


def _zero_where_zero(xp: Any, result: Any, x: Any) -> Any:
    result = xp.asarray(result)
    xp.copyto(result, 0, where=xp.equal(x, 0))
    return result


@exp_op.gradient
def _(op, grad):
    with control_dependencies([grad]):
        return grad * ops.conj(op.outputs[0])


@sigmoid_op.gradient
def _(op, grad):
    with control_dependencies([grad]):
        return raw.SigmoidGrad(ops.conj(op.outputs[0]), grad)


@sigmoid_grad_op.gradient
def _(op, grad):
    with control_dependencies([grad]):
        a, b = ops.conj(op.inputs[0]), ops.conj(op.inputs[1])
        product = grad * b
        return product - 2.0 * product * a, raw.SigmoidGrad(a, grad)


@tanh_op.gradient
def _(op, grad):
    with control_dependencies([grad]):
        return raw.TanhGrad(ops.conj(op.outputs[0]), grad)


@tanh_grad_op.gradient
def _(op, grad):
    with control_dependencies([grad]):
        a, b = ops.conj(op.inputs[0]), ops.conj(op.inputs[1])
        return grad * -2.0 * b * a, raw.TanhGrad(a, grad)


def _not_zero(x: Tensor) -> Tensor:
    """Returns 1 where `x` is nonzero and 0 elsewhere, in the dtype of `x`."""
    return ops.cast(ops.not_equal(x, ops.cast(0.0, dtype=x.dtype)), dtype=x.dtype)


@xlogy_op.gradient
def _(op, grad):
    x, y = op.inputs
    to_x, to_y = broadcast_operands(x, y)
    with control_dependencies([grad]):
        x_derivative = raw.Xlogy(_not_zero(x), y)
        y_derivative = raw.Xdivy(x, y)
        return to_x.reduce(x_derivative * grad), to_y.reduce(y_derivative * grad)


@xdivy_op.gradient
def _(op, grad):
    x, y = op.inputs
    to_x, to_y = broadcast_operands(x, y)
    with control_dependencies([grad]):
        x_derivative = raw.Xdivy(_not_zero(x), y)
        y_derivative = raw.Xdivy(ops.negative(x), y**2)
        return to_x.reduce(x_derivative * grad), to_y.reduce(y_derivative * grad)


@public
def exp(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns e to the power of each element.

    Args:
      x: a float or complex tensor.

    Returns:
      A Tensor of the shape and dtype of `x`.

    Example: `tf.exp([0.0, 1.0])` is `[1.0, 2.7182817]`.
    """
    return raw.Exp(x, name=name)


@public
def expm1(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns `exp(x) - 1`, elementwise, also accurate for small `x`, for a float or complex tensor."""
    return raw.Expm1(x, name=name)


@public
def log(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the natural logarithm of each float or complex element; -inf for 0, NaN for negative floats."""
    return raw.Log(x, name=name)


@public
def log1p(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns `log(1 + x)`, elementwise, also accurate for small `x`, for a float or complex tensor."""
    return raw.Log1p(x, name=name)


@public
def xlogy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x * log(y)`, elementwise, but 0 where `x` is 0, for broadcastable float or complex tensors."""
    return raw.Xlogy(x, y, name=name)


def xdivy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x / y`, elementwise, but 0 where `x` is 0, for broadcastable float or complex tensors."""
    return raw.Xdivy(x, y, name=name)


@public
@extend_to_sparse
def tanh(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the hyperbolic tangent of each element of a float or complex tensor, between -1 and 1."""
    return raw.Tanh(x, name=name)


@public
def sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns `1 / (1 + exp(-x))`, elementwise.

    Args:
      x: a float or complex tensor.

    Returns:
      A Tensor of the shape and dtype of `x`, between 0 and 1.

    Example: `tf.sigmoid([0.0])` is `[0.5]`.
    """
    with name_scope(name, "Sigmoid", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return raw.Sigmoid(x, name=name)


@public
def log_sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the logarithm of `tf.sigmoid(x)`, computed as `-softplus(-x)`, for a float tensor."""
    with name_scope(name, "LogSigmoid", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return raw.Neg(raw.Softplus(-x), name=name)
