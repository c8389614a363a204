"""Rounding of floats, the next representable float, and tests for NaN and infinity."""

from __future__ import annotations

from tfmini._src.base.dtypes import float32, float64
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.shape_inference import broadcast, same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_gradient import broadcast_operands
from tfmini._src.ops.type_lists import FLOATS, SIGNED_COMPLEX
from tfmini._src.ops.ufuncs import unary

floor_op = unary("Floor", "floor", FLOATS)
ceil_op = unary("Ceil", "ceil", FLOATS)
rint_op = unary("Rint", "rint", FLOATS)
is_nan_op = unary("IsNan", "isnan", FLOATS, "x: T -> y: bool")
is_inf_op = unary("IsInf", "isinf", FLOATS, "x: T -> y: bool")
is_finite_op = unary("IsFinite", "isfinite", FLOATS, "x: T -> y: bool")


@op("Round", "x: T -> y: T", ufunc="rint", infer=same_shape, elementwise=True, T=SIGNED_COMPLEX)
def round_op(xp, x):
    return x.copy() if x.dtype.kind == "i" else xp.rint(x)


for _op in (floor_op, ceil_op, rint_op, round_op):
    _op.gradient(lambda op, grad: None)


@op(
    "NextAfter",
    "x1: T, x2: T -> output: T",
    ufunc="nextafter",
    infer=broadcast,
    elementwise=True,
    T=Attr("type", float32, allowed=(float64, float32)),
)
def nextafter_op(xp, x1, x2):
    return xp.nextafter(x1, x2)


@nextafter_op.gradient
def _(op, grad):
    x1, x2 = op.inputs
    to_x1, to_x2 = broadcast_operands(x1, x2)
    with control_dependencies([grad]):
        x1_slope = ops.ones(to_x1.shape, dtype=x1.dtype)
        x2_slope = ops.zeros(to_x2.shape, dtype=x2.dtype)
        return to_x1.reduce(x1_slope * grad), to_x2.reduce(x2_slope * grad)


@public
def floor(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the largest integer not above each element of a float tensor, in the dtype of the tensor."""
    return raw.Floor(x, name=name)


@public
def ceil(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the smallest integer not below each element of a float tensor, in the dtype of the tensor."""
    return raw.Ceil(x, name=name)


@public
def rint(x: TensorLike, name: str | None = None) -> Tensor:
    """Rounds the elements of a float tensor to the nearest integer, ties to even."""
    return raw.Rint(x, name=name)


@public
def round(x: TensorLike, name: str | None = None) -> Tensor:
    """Rounds to the nearest integer, ties to even: 0.5 becomes 0, and 1.5 becomes 2.

    Args:
      x: a numeric tensor; integer tensors are returned unchanged.
    """
    x = ops.convert_to_tensor(x, name="x")
    return x if x.dtype.is_integer else raw.Round(x, name=name)


@public
def is_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns a bool mask of the NaN elements of a float tensor."""
    return raw.IsNan(x, name=name)


@public
def is_inf(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns a bool mask of the infinite elements of a float tensor."""
    return raw.IsInf(x, name=name)


@public
def is_finite(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns a bool mask of the finite elements of a float tensor."""
    return raw.IsFinite(x, name=name)


@public
def nextafter(x1: TensorLike, x2: TensorLike, name: str | None = None) -> Tensor:
    """Returns the next float32 or float64 number after `x1` towards `x2`, elementwise, for broadcastable shapes."""
    return raw.NextAfter(x1, x2, name=name)
