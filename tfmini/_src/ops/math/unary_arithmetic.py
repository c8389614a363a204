"""Negation, absolute value, sign, square, roots and reciprocals."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.graph.op_traits.elementwise_formula import Steps
from tfmini._src.graph.opdef import OpDef, op, public, raw
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.shape_inference import same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import extend_to_sparse
from tfmini._src.ops.type_lists import FLOATS, FLOATS_COMPLEX, SIGNED_COMPLEX
from tfmini._src.ops.ufuncs import NO_FLOAT_CONSTANT, unary

abs_op = unary(
    "Abs",
    "absolute",
    (*FLOATS, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64),
)


@abs_op.gradient
def _(op, grad):
    return grad * ops.sign(op.inputs[0])


neg_op = unary("Neg", "negative", SIGNED_COMPLEX, gradient=lambda op, grad: -grad)
square_op = unary("Square", "square", SIGNED_COMPLEX)
sqrt_op = unary(
    "Sqrt", "sqrt", FLOATS_COMPLEX, gradient=lambda op, grad: raw.SqrtGrad(op.outputs[0], grad)
)


def _complex_reciprocal(xp: Any, x: Any) -> Any:
    """Returns `1 / x`, which is infinite at 0, whereas numpy's `reciprocal` is NaN."""
    return xp.divide(x.dtype.type(1), x)


reciprocal_op, inv_op = (
    unary(
        name,
        "reciprocal",
        SIGNED_COMPLEX,
        integer_error=NO_FLOAT_CONSTANT,
        complex_kernel=_complex_reciprocal,
        gradient=lambda op, grad: raw.ReciprocalGrad(op.outputs[0], grad),
    )
    for name in ("Reciprocal", "Inv")
)


@op("Sign", "x: T -> y: T", infer=same_shape, elementwise=True, T=SIGNED_COMPLEX)
def sign_op(xp, x):
    if x.dtype.kind in "ic":
        return xp.sign(x)
    return xp.subtract(xp.greater(x, 0), xp.less(x, 0), dtype=x.dtype)  # 0 for NaN


sign_op.computes(native=(("greater", "x", 0.0), ("less", "x", 0.0), ("subtract", 0, 1)))


@op(
    "Rsqrt",
    "x: T -> y: T",
    infer=same_shape,
    gradient=lambda op, grad: raw.RsqrtGrad(op.outputs[0], grad),
    elementwise=True,
    T=FLOATS_COMPLEX,
)
def rsqrt_op(xp, x):
    root = xp.sqrt(x)
    return _complex_reciprocal(xp, root) if x.dtype.kind == "c" else xp.reciprocal(root)


rsqrt_op.computes(("sqrt", "x"), ("reciprocal", 0), exact=True)


@op("SqrtGrad", "y: T, dy: T -> z: T", elementwise=True, T=FLOATS_COMPLEX)
def sqrt_grad_op(xp, y, dy):
    return _mask_zero_gradients(
        xp, dy, xp.divide(xp.multiply(dy, dy.dtype.type(0.5)), _conjugate(xp, y))
    )


@op("RsqrtGrad", "y: T, dy: T -> z: T", elementwise=True, T=FLOATS_COMPLEX)
def rsqrt_grad_op(xp, y, dy):
    y = _conjugate(xp, y)
    z = xp.multiply(xp.multiply(dy, dy.dtype.type(-0.5)), xp.multiply(xp.square(y), y))
    return _mask_zero_gradients(xp, dy, z)


@op("ReciprocalGrad", "y: T, dy: T -> z: T", elementwise=True, T=FLOATS_COMPLEX)
def reciprocal_grad_op(xp, y, dy):
    z = xp.multiply(xp.negative(dy), xp.square(_conjugate(xp, y)))
    return _mask_zero_gradients(xp, dy, z)


@op("InvGrad", "y: T, dy: T -> z: T", elementwise=True, T=FLOATS_COMPLEX)
def inv_grad_op(xp, y, dy):
    z = xp.multiply(xp.negative(dy), xp.square(_conjugate(xp, y)))
    return _mask_zero_gradients(xp, dy, z)


_RECIPROCAL_FORMULA = ("negative", "y"), ("square", "x"), ("multiply", 0, 1), ("where", "y", 2, 0.0)
_FORMULAS: dict[OpDef, tuple[str, Steps]] = {
    sqrt_grad_op: (
        "sqrt_grad",
        (("multiply", "y", 0.5), ("divide", 0, "x"), ("where", "y", 1, 0.0)),
    ),
    rsqrt_grad_op: (
        "rsqrt_grad",
        (
            *(("multiply", "y", -0.5), ("square", "x"), ("multiply", 1, "x")),
            *(("multiply", 0, 2), ("where", "y", 3, 0.0)),
        ),
    ),
    reciprocal_grad_op: ("reciprocal_grad", _RECIPROCAL_FORMULA),
    inv_grad_op: ("reciprocal_grad", _RECIPROCAL_FORMULA),
}
for _op, (_name, _steps) in _FORMULAS.items():
    _op.infer(same_shape)
    _op.computes(*_steps, native=((_name, "x", "y"),))


def _mask_zero_gradients(xp: Any, dy: Any, z: Any) -> Any:
    """Sets `z`, a new array, to 0 where `dy` is 0, so that masked gradients stay 0 even where `y` is 0, inf or NaN."""
    if xp is np and z.ndim and z.shape == dy.shape:
        z[dy == 0] = 0
        return z
    return xp.where(xp.equal(dy, 0), z.dtype.type(0), z)


def _conjugate(xp: Any, y: Any) -> Any:
    return xp.conjugate(y) if y.dtype.kind == "c" else y


@sign_op.gradient
def _(op, grad):
    x = op.inputs[0]
    return ops.zeros(ops.shape(x), dtype=x.dtype)


@square_op.gradient
def _(op, grad):
    with control_dependencies([grad]):  # 2x is computed only afterwards
        x = ops.conj(op.inputs[0])
        two = ops.constant(2.0, dtype=x.dtype)
        return raw.Mul(grad, raw.Mul(x, two))


@sqrt_grad_op.gradient
def _(op, grad):
    root, y = op.inputs[0], op.outputs[0]
    with control_dependencies([grad]):
        scaled = grad / root
        return -ops.conj(scaled) * y, 0.5 * scaled


@rsqrt_grad_op.gradient
def _(op, grad):
    a, b = op.inputs
    with control_dependencies([grad]):
        a = ops.conj(a)
        a_grad = -1.5 * ops.conj(grad) * b * ops.square(a)
        return a_grad, raw.RsqrtGrad(a, grad)


def _reciprocal_grad_gradient(op: Any, grad: Any) -> tuple:
    a, b = op.inputs
    with control_dependencies([grad]):
        a = ops.conj(a)
        return ops.conj(grad) * -2.0 * b * a, raw.ReciprocalGrad(a, grad)


reciprocal_grad_op.gradient(_reciprocal_grad_gradient)
inv_grad_op.gradient(_reciprocal_grad_gradient)


@public
@extend_to_sparse
def abs(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the absolute value of each element.

    Args:
      x: a numeric tensor.

    Returns:
      A Tensor of the shape and dtype of `x`; for complex numbers, the modulus in the real dtype.

    Example: `tf.abs([3 + 4j])` is `[5.0]`.
    """
    with name_scope(name, "Abs", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.is_complex:
            return raw.ComplexAbs(x, Tout=x.dtype.real_dtype, name=name)
        return raw.Abs(x, name=name)


@public
@extend_to_sparse
def negative(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns `-x`, elementwise, for a float, complex, int32 or int64 tensor."""
    return raw.Neg(x, name=name)


@public
@extend_to_sparse
def sign(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the sign of each element, -1, 0 or 1 (0 for NaN), or `x / abs(x)` for complex numbers."""
    return raw.Sign(x, name=name)


@public
@extend_to_sparse
def square(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns `x * x`, elementwise, for a float, complex, int32 or int64 tensor."""
    return raw.Square(x, name=name)


@public
@extend_to_sparse
def sqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the square root of each element of a float or complex tensor; NaN for negative floats."""
    return raw.Sqrt(x, name=name)


@public
def rsqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns `1 / sqrt(x)`, elementwise, for a float or complex tensor."""
    return raw.Rsqrt(x, name=name)


@public
def reciprocal(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns `1 / x`, elementwise, for a float or complex tensor."""
    return raw.Reciprocal(x, name=name)


@public
def reciprocal_no_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns `1 / x`, elementwise, but 0 where `x` is 0, for a float or complex tensor."""
    with name_scope(name, "reciprocal_no_nan", [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        one = ops.constant(1, dtype=x.dtype.base_dtype, name="one")
        return raw.DivNoNan(one, x, name=name)
