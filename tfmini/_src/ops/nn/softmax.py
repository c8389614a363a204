"""Softmax and log softmax: ops along the last axis, functions along any axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated_args, deprecated_argument_lookup
from tfmini._src.devices.cuda import softmax as on_gpus
from tfmini._src.devices.cuda.launch import supports
from tfmini._src.devices.host.native import softmax as native
from tfmini._src.devices.host.threads import part_bounds, run_parts, thread_count
from tfmini._src.devices.numpy.min_max import row_extremes
from tfmini._src.devices.numpy.row_blocks import ROW_BLOCK, row_blocks
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import same_shape, with_rank_at_least
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.type_lists import HALF_TO_DOUBLE


def subtract_row_maxima(xp: Any, rows: Any, out: Any = None) -> Any:
    """Subtracts the maximum of each row, so that its exponentials cannot overflow."""
    if xp is np:
        largest = row_extremes(np.maximum, rows, -np.inf)[:, None]
    else:
        largest = rows.max(axis=1, keepdims=True)
    return xp.subtract(rows, largest, out=out)


def row_sums(xp: Any, rows: Any) -> Any:
    """Returns the row sums [rows, 1] of a matrix, computed as a matrix product if that is faster."""
    if rows.dtype.itemsize < 4:
        return rows.sum(axis=1, keepdims=True, dtype=np.float32).astype(rows.dtype)
    if rows.size < 512:
        return rows.sum(axis=1, keepdims=True)
    return rows @ xp.ones((rows.shape[1], 1), rows.dtype)


def _softmax_rows(xp: Any, rows: Any, out: Any) -> None:
    subtract_row_maxima(xp, rows, out)
    xp.exp(out, out=out)
    xp.multiply(out, 1 / row_sums(xp, out), out=out)


def _log_softmax_rows(xp: Any, rows: Any, out: Any) -> None:
    subtract_row_maxima(xp, rows, out)
    xp.subtract(out, xp.log(row_sums(xp, xp.exp(out))), out=out)


def _apply_to_rows(xp: Any, logits: Any, compute: Callable, out: Any = None) -> Any:
    """Applies `compute(xp, rows, out)` to the rows of the last axis; on the CPU, in blocks and on threads."""
    _check_rank(logits)
    if out is None:
        out = xp.empty(logits.shape, logits.dtype)
    if not logits.size:
        return out
    classes = logits.shape[-1]
    rows, results = logits.reshape(-1, classes), out.reshape(-1, classes)
    if xp is np and native.softmax(rows, results, compute is _log_softmax_rows):
        return out
    parts = thread_count() if xp is np and rows.size >= 2 * ROW_BLOCK else 1
    bounds = part_bounds(len(rows), parts, 0)

    def work(part: int) -> None:
        part_rows = slice(bounds[part], bounds[part + 1])
        actual, expected = rows[part_rows], results[part_rows]
        for block in row_blocks(xp, actual):
            compute(xp, actual[block], expected[block])

    run_parts(work, parts)
    return out


def _check_rank(logits: Any) -> None:
    if not logits.ndim:
        invalid(f"logits must have >= 1 dimension, got {shape_text(logits.shape)}")


def _on_gpu(gpu: Any, logits: Any, compute: Callable, logarithm: bool) -> Any:
    if not supports(logits.dtype):
        return _apply_to_rows(gpu.xp, logits, compute)
    _check_rank(logits)
    return on_gpus.softmax(gpu.xp, logits, logarithm)


def _reusing(ctx: Any, compute: Callable) -> Callable | None:
    """Returns a kernel for few logits of a known shape, or one that overwrites logits that have no other consumer."""
    if ctx.dims[0] and ctx.has_static_shapes():
        dtype, is_logarithm = ctx.attrs["T"].numpy, compute is _log_softmax_rows
        native_kernel = native.softmax_of_shape(dtype, ctx.dims[0], is_logarithm)
        if native_kernel is not None:

            def at_once(logits):
                result = native_kernel(logits)
                return _apply_to_rows(np, logits, compute) if result is None else result

            return at_once
    if "logits" not in ctx.owned:
        return None

    def in_place(logits):
        writable = isinstance(logits, np.ndarray) and logits.flags.c_contiguous
        return _apply_to_rows(ctx.xp, logits, compute, logits if writable else None)

    return in_place


def _vector_or_more(op):
    return with_rank_at_least(same_shape(op), 1)


@op("Softmax", "logits: T -> softmax: T", infer=_vector_or_more, T=HALF_TO_DOUBLE)
def softmax_op(xp, logits):
    return _apply_to_rows(xp, logits, _softmax_rows)


softmax_op.bind(lambda ctx: _reusing(ctx, _softmax_rows))
softmax_op.on_gpu(lambda gpu, logits: _on_gpu(gpu, logits, _softmax_rows, False))


@softmax_op.gradient
def _(op, grad):
    softmax = op.outputs[0]
    total = ops.reduce_sum(grad * softmax, -1, keepdims=True)
    return (grad - total) * softmax


@op("LogSoftmax", "logits: T -> logsoftmax: T", infer=_vector_or_more, T=HALF_TO_DOUBLE)
def log_softmax_op(xp, logits):
    return _apply_to_rows(xp, logits, _log_softmax_rows)


log_softmax_op.bind(lambda ctx: _reusing(ctx, _log_softmax_rows))
log_softmax_op.on_gpu(lambda gpu, logits: _on_gpu(gpu, logits, _log_softmax_rows, True))


@log_softmax_op.gradient
def _(op, grad):
    softmax = ops.exp(op.outputs[0])
    return grad - ops.reduce_sum(grad, -1, keepdims=True) * softmax


def _apply_along(logits: Any, compute: Callable, axis: Any, name: str | None) -> Tensor:
    """Applies `compute` along any axis, which is swapped with the last axis before and after."""
    logits = ops.convert_to_tensor(logits)
    shape = logits.shape
    if axis == -1 or axis == shape.ndims - 1:
        return compute(logits, name=name)
    static_axis = ops.get_static_value(axis) if isinstance(axis, Tensor) else axis
    if static_axis is not None and not -shape.ndims <= static_axis < shape.ndims:
        rank = shape.ndims
        invalid(
            f"Dimension ({static_axis}) must be in the range [{-rank}, {rank}) where {rank} is the "
            "number of dimensions in the input.",
        )
    rank = ops.rank(logits)
    if isinstance(axis, Tensor):
        axis = ops.where(ops.less(axis, 0), axis + rank, axis)
    elif axis < 0:
        axis += rank
    # TensorFlow computes the rank again, and the axis modulo the static rank.
    rank = ops.rank(logits)
    axis = axis % shape.ndims
    logits = _swap(logits, axis, ops.subtract(rank, 1))
    result = compute(logits)
    result = _swap(result, axis, ops.subtract(rank, 1), name)
    result.set_shape(shape)
    return result


def _swap(logits: Tensor, axis: Any, last: Tensor, name: str | None = None) -> Tensor:
    order = ops.concat([ops.range(axis), [last], ops.range(axis + 1, last), [axis]], 0)
    return ops.transpose(logits, order, name=name)


@public
@deprecated_args(None, "dim is deprecated, use axis instead", "dim")
def softmax(
    logits: TensorLike,
    axis: TensorLike | None = None,
    name: str | None = None,
    dim: int | None = None,
) -> Tensor:
    """Returns exp(logits) / sum(exp(logits)) along an axis: probabilities that sum to 1.

    Args:
      logits: a float tensor with at least one axis.
      axis: the class axis; last by default.
      dim: the old name of `axis`.

    Returns:
      A tensor of the same shape and dtype.

    Raises:
      InvalidArgumentError: if `axis` is out of range.

    Example: `tf.nn.softmax([[1.0, 2.0, 3.0]])` is [[0.09, 0.24, 0.67]].
    """
    axis = deprecated_argument_lookup("axis", axis, "dim", dim)
    return _apply_along(logits, raw.Softmax, -1 if axis is None else axis, name)


@public
@deprecated_args(None, "dim is deprecated, use axis instead", "dim")
def log_softmax(
    logits: TensorLike,
    axis: TensorLike | None = None,
    name: str | None = None,
    dim: int | None = None,
) -> Tensor:
    """Returns the logarithm of `tf.nn.softmax`, computed without underflow; arguments and errors are the same."""
    axis = deprecated_argument_lookup("axis", axis, "dim", dim)
    return _apply_along(logits, raw.LogSoftmax, -1 if axis is None else axis, name)
