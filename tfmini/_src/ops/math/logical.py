"""Logical and, or, not and exclusive or."""

from __future__ import annotations

from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.ufuncs import binary, unary

_BOOL = "x: bool, y: bool -> z: bool"
logical_and_op = binary("LogicalAnd", "logical_and", None, _BOOL, commutative=True)
logical_or_op = binary("LogicalOr", "logical_or", None, _BOOL, commutative=True)
logical_not_op = unary("LogicalNot", "logical_not", None, "x: bool -> y: bool")
for _op in (logical_and_op, logical_or_op, logical_not_op):
    _op.differentiable = False


@public
def logical_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns the elementwise logical AND of bool tensors whose shapes broadcast."""
    return raw.LogicalAnd(x, y, name=name)


@public
def logical_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Returns the elementwise logical OR of bool tensors whose shapes broadcast."""
    return raw.LogicalOr(x, y, name=name)


@public
def logical_not(x: TensorLike, name: str | None = None) -> Tensor:
    """Returns the elementwise logical NOT of a bool tensor."""
    return raw.LogicalNot(x, name=name)


@public
def logical_xor(x: TensorLike, y: TensorLike, name: str | None = "LogicalXor") -> Tensor:
    """Returns the elementwise logical XOR of bool tensors whose shapes broadcast.

    It is composed as `(x | y) & ~(x & y)`.
    """
    union = ops.logical_or(x, y)
    return ops.logical_and(union, ops.logical_not(ops.logical_and(x, y)), name=name)
