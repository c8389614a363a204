"""Broadcasting comparisons; elementwise maximum and minimum."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import Dims, broadcast, broadcast_dims, merge
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import dense, shape_text
from tfmini._src.ops.type_lists import FLOATS, NUMBERS, REAL_NUMBERS, SIGNED
from tfmini._src.ops.ufuncs import binary

_BOOL = "x: T, y: T -> z: bool"
less_op = binary("Less", "less", REAL_NUMBERS, _BOOL)
less_equal_op = binary("LessEqual", "less_equal", REAL_NUMBERS, _BOOL)
greater_op = binary("Greater", "greater", REAL_NUMBERS, _BOOL)
greater_equal_op = binary("GreaterEqual", "greater_equal", REAL_NUMBERS, _BOOL)
for _op in (less_op, less_equal_op, greater_op, greater_equal_op):
    _op.differentiable = False

_COMPARABLE = (
    *FLOATS,
    *(dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.complex64),
    *(dtypes.quint8, dtypes.qint8, dtypes.qint32, dtypes.string, dtypes.bool, dtypes.complex128),
)


@op(
    "Equal",
    _BOOL,
    elementwise=True,
    commutative=True,
    T=_COMPARABLE,
    incompatible_shape_error=True,
)
def equal_op(xp, x, y, *, T, incompatible_shape_error):
    if not incompatible_shape_error and not _broadcastable(x, y):
        return xp.bool_(False)
    if T is dtypes.string:
        return np.equal(dense(x), dense(y)).astype(bool)
    return xp.equal(x, y)


@op(
    "NotEqual",
    _BOOL,
    elementwise=True,
    commutative=True,
    T=_COMPARABLE,
    incompatible_shape_error=True,
)
def not_equal_op(xp, x, y, *, T, incompatible_shape_error):
    if not incompatible_shape_error and not _broadcastable(x, y):
        return xp.bool_(True)
    if T is dtypes.string:
        return np.not_equal(dense(x), dense(y)).astype(bool, copy=False)
    return xp.not_equal(x, y)


def _broadcastable(x: Any, y: Any) -> bool:
    return all(m == n or 1 in (m, n) for m, n in zip(reversed(np.shape(x)), reversed(np.shape(y))))


def _equality_shape(op: Any) -> Dims:
    if op.attrs["incompatible_shape_error"]:
        return broadcast(op)
    x, y = (t._dims for t in op.inputs)
    if x is None or y is None:
        return None
    for m, n in zip(_prepend_ones(x, len(y)), _prepend_ones(y, len(x))):
        if 1 not in (m, n):
            if m is None or n is None:
                return None
            if m != n:
                return ()
    return broadcast_dims(x, y)


def _prepend_ones(dims: tuple, rank: int) -> tuple:
    return (1,) * (rank - len(dims)) + dims


for _op, _ufunc in ((equal_op, "equal"), (not_equal_op, "not_equal")):
    _op.infer(_equality_shape)
    _op.bind(
        lambda ctx, _ufunc=_ufunc: (
            getattr(ctx.xp, _ufunc)
            if ctx.attrs["T"] is not dtypes.string and ctx.attrs["incompatible_shape_error"]
            else None
        )
    )
    _op.differentiable = False


@op(
    "ApproximateEqual",
    _BOOL,
    differentiable=False,
    elementwise=True,
    commutative=True,
    T=NUMBERS,
    tolerance=float(np.float32(1e-5)),
)
def approximate_equal_op(xp, x, y, *, tolerance):
    if x.shape != y.shape:
        shapes = f"x shape: {shape_text(x.shape)}. y shape: {shape_text(y.shape)}"
        invalid(f"x and y must be of the same shape. {shapes}")
    if x.dtype.kind in "iu":
        tolerance = int(tolerance)
    # For dtypes other than float32 and float64 TensorFlow supports this through XLA only, which ignores the tolerance.
    is_near = xp.less_equal if x.dtype.char in "fd" else xp.less
    return is_near(xp.abs(xp.subtract(x, y)), tolerance)


@approximate_equal_op.infer
def _(op) -> Dims:
    merge(op.inputs[0]._dims, op.inputs[1]._dims)
    return op.inputs[0]._dims


_MIN_COLUMNS = 16
_HIGHEST: dict[str, Any] = {"f": np.float32(np.inf), "d": np.float64(np.inf)}


@op("Maximum", "x: T, y: T -> z: T", host_or_cuda=True, infer=broadcast, elementwise=True, T=SIGNED)
def maximum_op(xp, x, y):
    if not y.ndim and y == y:
        if not x.ndim:
            return (y if x < y else x)[()]
        if x.dtype.char in _HIGHEST:  # broadcasting a scalar is slow
            return x.clip(y, _HIGHEST[x.dtype.char])
    x, y = _repeat(x, y)
    return _first_if_unordered(xp, xp.maximum(x, y), x, y)


maximum_op.computes(("fmax", "x", "y"), ("maximum", "x", 0), native=(("larger", "x", "y"),))


@op("Minimum", "x: T, y: T -> z: T", host_or_cuda=True, infer=broadcast, elementwise=True, T=SIGNED)
def minimum_op(xp, x, y):
    if not y.ndim and y == y:
        if not x.ndim:
            return (y if x > y else x)[()]
        if x.dtype.char in _HIGHEST:
            return x.clip(-_HIGHEST[x.dtype.char], y)
    x, y = _repeat(x, y)
    return _first_if_unordered(xp, xp.minimum(x, y), x, y)


minimum_op.computes(("fmin", "x", "y"), ("minimum", "x", 0), native=(("smaller", "x", "y"),))


def _repeat(x: Any, y: Any) -> tuple[Any, Any]:
    """Expands operands to a common second-to-last axis if the last axis is short, where NumPy broadcasts row by row."""
    if (
        x.ndim == y.ndim > 2
        and x.shape[-1] == y.shape[-1] < _MIN_COLUMNS
        and x.shape[-2] != y.shape[-2]
    ):
        if x.shape[-2] == 1:
            return x.repeat(y.shape[-2], -2), y
        if y.shape[-2] == 1:
            return x, y.repeat(x.shape[-2], -2)
    return x, y


def _first_if_unordered(xp: Any, result: Any, x: Any, y: Any) -> Any:
    """Replaces `result` with `x` where `y` is NaN, because TensorFlow propagates NaN only from the first operand."""
    if y.dtype.kind != "i" and (y != y).any():
        result = xp.asarray(result)
        xp.copyto(result, x, where=xp.not_equal(y, y))
    return result


@maximum_op.on_gpu
def _(gpu, x, y):
    """GPU kernel without synchronization: fmax drops NaN, and the maximum with x restores the NaN elements of x."""
    return gpu.xp.maximum(x, y if y.dtype.kind == "i" else gpu.xp.fmax(x, y))


@minimum_op.on_gpu
def _(gpu, x, y):
    return gpu.xp.minimum(x, y if y.dtype.kind == "i" else gpu.xp.fmin(x, y))


@maximum_op.gradient
def _(op, grad):
    return _extreme_gradient(op, grad, ops.greater_equal)


@minimum_op.gradient
def _(op, grad):
    return _extreme_gradient(op, grad, ops.less_equal)


def _extreme_gradient(op: Any, grad: Any, comparison: Any) -> tuple:
    """Routes the gradient to the selected operand, or to the first operand on ties."""
    x, y = op.inputs
    x_shape, y_shape = ops.shape(x), ops.shape(y)
    zeros = ops.zeros(ops.shape(grad), grad.dtype)
    mask = comparison(x, y)
    x_axes, y_axes = raw.BroadcastGradientArgs(x_shape, y_shape)
    x_grad = ops.reshape(ops.reduce_sum(ops.where(mask, grad, zeros), x_axes), x_shape)
    y_grad = ops.reshape(ops.reduce_sum(ops.where(mask, zeros, grad), y_axes), y_shape)
    return x_grad, y_grad


@public
def maximum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes the elementwise maximum of `x` and `y`.

    Args:
      x, y: float, int32 or int64 tensors of the same dtype whose shapes broadcast.

    Returns:
      A Tensor of the same dtype and the broadcast shape, NaN where `x` is NaN, and `x` where only `y` is NaN.

    Example: `tf.maximum([-1.0, 2.0], 0.0)` is `[0.0, 2.0]`.
    """
    return raw.Maximum(x, y, name=name)


@public
def minimum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Computes the elementwise minimum of `x` and `y`; see `tf.maximum`."""
    return raw.Minimum(x, y, name=name)


@public
def less(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Whether `x < y`, elementwise, for real tensors of the same dtype whose shapes broadcast."""
    return raw.Less(x, y, name=name)


@public
def less_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Whether `x <= y`, elementwise, for real tensors of the same dtype whose shapes broadcast."""
    return raw.LessEqual(x, y, name=name)


@public
def greater(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Whether `x > y`, elementwise, for real tensors of the same dtype whose shapes broadcast."""
    return raw.Greater(x, y, name=name)


@public
def greater_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Whether `x >= y`, elementwise, for real tensors of the same dtype whose shapes broadcast."""
    return raw.GreaterEqual(x, y, name=name)


@public
def equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Whether `x` and `y` are equal, elementwise.

    Args:
      x, y: tensors of the same dtype (numeric, bool or string) whose shapes broadcast.

    Returns:
      A bool Tensor. (`x == y` compares the identities of the Tensor objects.)

    Example: `tf.equal([1, 2], 2)` is `[False, True]`.
    """
    return raw.Equal(x, y, name=name)


@public
def not_equal(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Whether `x` and `y` differ, elementwise; see `tf.equal`."""
    return raw.NotEqual(x, y, name=name)
