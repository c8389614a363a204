"""Cumulative sums and products along an axis."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.devices.cuda.launch import (
    FLOATS as FLOATS_ON_GPU,
    NUMBERS as NUMBERS_ON_GPU,
    supports,
)
from tfmini._src.devices.cuda.scan_top_k import scan as scan_on_gpu
from tfmini._src.devices.host.native.scans import scan
from tfmini._src.graph.opdef import OpDef, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import same_shape
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import INDEX32, shape_text
from tfmini._src.ops.type_lists import NUMBERS


def _scan(
    name: str,
    types: tuple,
    accumulate: Callable,
    start: Callable,
    on_gpu: str,
    names: dict[str, str],
    ufunc: str = "",
) -> OpDef:
    """Declares a scan op.

    accumulate: `accumulate(xp, x, axis)` is the inclusive form; start: `start(dtype)` is the first element of the
    exclusive form; on_gpu: the GPU kernel; names: the dtypes it supports; ufunc: the native kernel."""

    def kernel(xp, x, axis, *, exclusive, reverse):
        axis = _checked_axis(axis, x.ndim)
        if not x.size:
            return x.copy()
        scanned = scan(ufunc, x, axis, exclusive, reverse) if xp is np and ufunc else None
        if scanned is not None:
            return scanned
        if reverse:
            x = xp.flip(x, axis)
        result = accumulate(xp, x, axis)
        if exclusive:
            leading_slices = (slice(None),) * axis
            result = xp.concatenate(
                [
                    xp.full_like(result[(*leading_slices, slice(1))], start(x.dtype)),
                    result[(*leading_slices, slice(-1))],
                ],
                axis,
            )
        return xp.flip(result, axis) if reverse else result

    opdef = op(
        name,
        "x: T, axis: Tidx -> out: T",
        static_inputs=("axis",),
        exclusive=False,
        reverse=False,
        T=types,
        Tidx=INDEX32,
        view=True,
    )(kernel)
    opdef.infer(same_shape)

    @opdef.on_gpu
    def _(gpu, x, axis, *, exclusive, reverse):
        if supports(x.dtype, names):
            return scan_on_gpu(gpu.xp, on_gpu, x, _checked_axis(axis, x.ndim), exclusive, reverse)
        if x.dtype.itemsize == 2 and x.dtype.kind not in "iu":
            float32_x = x.astype("f")
            result = scan_on_gpu(
                gpu.xp, on_gpu, float32_x, _checked_axis(axis, x.ndim), exclusive, reverse
            )
            return result.astype(x.dtype)
        return kernel(gpu.xp, x, axis, exclusive=exclusive, reverse=reverse)

    return opdef


def _checked_axis(axis: Any, rank: int) -> int:
    if axis.ndim:
        invalid(f"ScanOp: axis must be a scalar, not {shape_text(axis.shape)}")
    position = int(axis) + rank if axis < 0 else int(axis)
    if not 0 <= position < rank:
        invalid(
            f"ScanOp: Expected scan axis in the range [{-rank}, {rank}), but got {position}",
        )
    return position


_MIN_INNER_ELEMENTS = (
    16  # inner elements above which whole rows are added: NumPy proceeds column by column
)


def _accumulator(ufunc: str) -> Callable:
    """Returns `accumulate(xp, x, axis)` of a ufunc."""

    def accumulate(xp: Any, x: Any, axis: int) -> Any:
        operation = getattr(xp, ufunc)
        if xp is not np or math.prod(x.shape[axis + 1 :]) < _MIN_INNER_ELEMENTS:
            return operation.accumulate(x, axis=axis, dtype=x.dtype)
        result = np.empty(x.shape, x.dtype)
        rows, source_rows = np.moveaxis(result, axis, 0), np.moveaxis(x, axis, 0)
        rows[0] = source_rows[0]
        for previous_row, source, row in zip(rows, source_rows[1:], rows[1:]):
            operation(previous_row, source, out=row)
        return result

    return accumulate


cumsum_op = _scan(
    "Cumsum",
    NUMBERS,
    _accumulator("add"),
    lambda dtype: 0,
    "cumsum",
    NUMBERS_ON_GPU,
    "add",
)
cumprod_op = _scan(
    "Cumprod",
    NUMBERS,
    _accumulator("multiply"),
    lambda dtype: 1,
    "cumprod",
    NUMBERS_ON_GPU,
    "multiply",
)
cumulative_logsumexp_op = _scan(
    "CumulativeLogsumexp",
    (dtypes.float16, dtypes.float32, dtypes.float64),
    _accumulator("logaddexp"),
    lambda dtype: np.finfo(dtype).min,
    "cumulative_logsumexp",
    FLOATS_ON_GPU,
)


@cumsum_op.gradient
def _(op, grad):
    exclusive, reverse = op.attrs["exclusive"], op.attrs["reverse"]
    return ops.cumsum(grad, op.inputs[1], exclusive=exclusive, reverse=not reverse), None


@cumprod_op.gradient
def _(op, grad):
    x, axis = op.inputs
    exclusive, reverse = op.attrs["exclusive"], op.attrs["reverse"]
    product = ops.cumprod(x, axis, exclusive=exclusive, reverse=reverse)
    total = ops.cumsum(product * grad, axis, exclusive=exclusive, reverse=not reverse)
    return total / x, None


@cumulative_logsumexp_op.gradient
def _(op, grad):
    """Returns the gradient in log space, computed separately for positive and negative parts."""
    x, axis = op.inputs
    result = op.outputs[0]
    options = {"reverse": not op.attrs["reverse"], "exclusive": op.attrs["exclusive"]}
    lowest = grad.dtype.min
    positive = ops.where_v2(ops.greater(grad, 0), ops.log(grad), lowest)
    negative = ops.where_v2(ops.less(grad, 0), ops.log(-grad), lowest)
    up = ops.exp(ops.cumulative_logsumexp(positive - result, axis=axis, **options) + x)
    down = ops.exp(ops.cumulative_logsumexp(negative - result, axis=axis, **options) + x)
    return up - down, None


def _cumulative(
    node: Callable, scope: str, x: Any, axis: Any, exclusive: bool, reverse: bool, name: str | None
) -> Tensor:
    with name_scope(name, scope, [x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        return node(x, axis, exclusive=exclusive, reverse=reverse, name=name)


@public
def cumsum(
    x: TensorLike,
    axis: TensorLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Computes the cumulative sum along an axis.

    Args:
      x: a numeric tensor.
      axis: the axis, counted from the end if negative.
      exclusive: whether each sum excludes its own element.
      reverse: whether to sum from the end.

    Returns:
      A Tensor of the shape and dtype of `x`.

    Example: `tf.cumsum([1, 2, 3])` is `[1, 3, 6]`; with `exclusive=True`, it is `[0, 1, 3]`.
    """
    return _cumulative(raw.Cumsum, "Cumsum", x, axis, exclusive, reverse, name)


@public
@arguments_of(cumsum)
def cumprod(*args: Any) -> Tensor:
    """Computes the cumulative product along an axis; see `tf.cumsum` for the arguments."""
    return _cumulative(raw.Cumprod, "Cumprod", *args)


@public
@arguments_of(cumsum)
def cumulative_logsumexp(*args: Any) -> Tensor:
    """Returns `log(cumsum(exp(x)))` without overflow, for 16- to 64-bit floats; see `tf.cumsum` for the arguments."""
    return _cumulative(raw.CumulativeLogsumexp, "CumulativeLogsumexp", *args)
