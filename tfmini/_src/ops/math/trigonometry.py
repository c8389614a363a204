"""Trigonometric and hyperbolic functions and their inverses."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.type_lists import FLOATS, FLOATS_COMPLEX, SIGNED_COMPLEX
from tfmini._src.ops.ufuncs import NO_FLOAT_CONSTANT, binary, chain_rule, unary

sin_op = unary("Sin", "sin", FLOATS_COMPLEX, gradient=chain_rule(lambda x: raw.Cos(x)))
cos_op = unary("Cos", "cos", FLOATS_COMPLEX)
tan_op = unary(
    "Tan",
    "tan",
    SIGNED_COMPLEX,
    integer_error="Expected element type in shape to be floating or complex for cosine operation; got {}.",
)
asin_op = unary(
    "Asin",
    "arcsin",
    SIGNED_COMPLEX,
    integer_error=NO_FLOAT_CONSTANT,
    gradient=chain_rule(lambda x: raw.Reciprocal(raw.Sqrt(_one_minus_square(x)))),
)
acos_op = unary("Acos", "arccos", SIGNED_COMPLEX, integer_error=NO_FLOAT_CONSTANT)
atan_op = unary("Atan", "arctan", SIGNED_COMPLEX, integer_error=NO_FLOAT_CONSTANT)
sinh_op = unary("Sinh", "sinh", FLOATS_COMPLEX, gradient=chain_rule(lambda x: raw.Cosh(x)))
cosh_op = unary("Cosh", "cosh", FLOATS_COMPLEX, gradient=chain_rule(lambda x: raw.Sinh(x)))
asinh_op = unary("Asinh", "arcsinh", FLOATS_COMPLEX)
acosh_op = unary("Acosh", "arccosh", FLOATS_COMPLEX)
atanh_op = unary(
    "Atanh",
    "arctanh",
    FLOATS_COMPLEX,
    gradient=chain_rule(lambda x: raw.Reciprocal(_one_minus_square(x))),
)
atan2_op = binary("Atan2", "arctan2", FLOATS, "y: T, x: T -> z: T")


@cos_op.gradient
def _(op, grad):
    with control_dependencies([grad]):
        x = ops.conj(op.inputs[0])
        return -grad * ops.sin(x)


@tan_op.gradient
def _(op, grad):
    with control_dependencies([grad]):
        secant = ops.reciprocal(ops.cos(ops.conj(op.inputs[0])))
        return ops.square(secant) * grad


@acos_op.gradient
def _(op, grad):
    with control_dependencies([grad]):
        inverse = ops.reciprocal(ops.sqrt(_one_minus_square(ops.conj(op.inputs[0]))))
        return -grad * inverse


def _one_minus_square(x: Any) -> Tensor:
    square = ops.square(x)
    return ops.subtract(ops.constant(1, dtype=x.dtype.base_dtype), square)


@atan_op.gradient
def _(op, grad):
    with control_dependencies([grad]):
        square = ops.square(ops.conj(op.inputs[0]))
        one = ops.constant(1, dtype=grad.dtype)
        return grad * ops.reciprocal(ops.add(one, square))


@atan2_op.gradient
def _(op, grad):
    y, x = op.inputs
    with control_dependencies([grad]):
        scaled = grad / (ops.square(x) + ops.square(y))
        return x * scaled, -y * scaled


@asinh_op.gradient
def _(op, grad):
    with control_dependencies([grad]):
        return grad / ops.cosh(ops.conj(op.outputs[0]))


@acosh_op.gradient
def _(op, grad):
    with control_dependencies([grad]):
        return grad / ops.sinh(ops.conj(op.outputs[0]))


@public
def sin(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the sine of each element, in radians.

    Args:
      x: a float or complex tensor.

    Returns:
      A Tensor of the shape and dtype of `x`.

    Example: `tf.sin([0.0, 1.5707964])` is `[0.0, 1.0]`.
    """
    return raw.Sin(x, name=name)


@public
def cos(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the cosine of each element of a float or complex tensor, in radians."""
    return raw.Cos(x, name=name)


@public
def tan(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the tangent of each element of a float or complex tensor, in radians."""
    return raw.Tan(x, name=name)


@public
def asin(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the angle in radians whose sine is `x`, for a float or complex tensor; NaN outside [-1, 1]."""
    return raw.Asin(x, name=name)


@public
def acos(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the angle in radians whose cosine is `x`, for a float or complex tensor; NaN outside [-1, 1]."""
    return raw.Acos(x, name=name)


@public
def atan(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the angle in radians whose tangent is `x`, elementwise, for a float or complex tensor."""
    return raw.Atan(x, name=name)


@public
def atan2(y: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the angles of the points (x, y) in radians, between -pi and pi.

    Args:
      y, x: float tensors of the same dtype whose shapes broadcast.

    Example: `tf.atan2([1.0], [-1.0])` is `[2.3561945]`.
    """
    return raw.Atan2(y, x, name=name)


@public
def sinh(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the hyperbolic sine of each element of a float or complex tensor."""
    return raw.Sinh(x, name=name)


@public
def cosh(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the hyperbolic cosine of each element of a float or complex tensor."""
    return raw.Cosh(x, name=name)


@public
def asinh(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the number whose hyperbolic sine is `x`, elementwise, for a float or complex tensor."""
    return raw.Asinh(x, name=name)


@public
def acosh(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the non-negative number whose hyperbolic cosine is `x`, elementwise; NaN for floats below 1."""
    return raw.Acosh(x, name=name)


@public
def atanh(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the number whose hyperbolic tangent is `x`, elementwise; NaN for floats outside [-1, 1]."""
    return raw.Atanh(x, name=name)
