"""Segment reductions with segment ids in any order."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.lazy_imports import ml_dtypes
from tfmini._src.devices.cuda.gather_scatter import reduce_segments
from tfmini._src.devices.host.native import rows as native, segment_reduce as native_reduce
from tfmini._src.devices.host.native.segment_reduce import IDS_ASCENDING, IDS_CHECKED, IDS_IN_RANGE
from tfmini._src.devices.numpy.segment_reduce import reduce_rows
from tfmini._src.graph.opdef import OpDef, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import (
    Dims,
    merge_dim,
    size_input,
    with_rank,
    with_rank_at_least,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.bounds import describe_outside_index
from tfmini._src.ops.math.segment_sum import SEGMENT_INDEX
from tfmini._src.ops.operands import INDEX32, shape_text
from tfmini._src.ops.ragged_dispatch import accepts_ragged
from tfmini._src.ops.type_lists import NUMBERS, REAL_NUMBERS

# Facts about valid ids and results without NaN.
_VALID = IDS_CHECKED | IDS_IN_RANGE, IDS_CHECKED | IDS_IN_RANGE | IDS_ASCENDING
_MAX_NATIVE_ELEMENTS = 1 << 17  # elements: below, one native call checks the ids and reduces


def _declare(name: str, types: tuple, ufunc: str, start: Callable) -> OpDef:
    def segments(data, ids, num_segments):
        """Validates the number of segments and the shapes; returns the number."""
        if num_segments.ndim:
            invalid(f"num_segments should be a scalar, not shape {shape_text(num_segments.shape)}")
        if data.shape[: ids.ndim] != ids.shape:
            invalid(
                f"data.shape = {shape_text(data.shape)} does not start with segment_ids.shape = "
                f"{shape_text(ids.shape)}"
            )
        count = int(num_segments)
        if count < 0:
            invalid(f"Input num_segments == {count} must not be negative.")
        return count

    def on_gpu(gpu, data, ids, num_segments):
        """GPU kernel, which drops rows with out-of-range ids instead of raising an error."""
        count = segments(data, ids, num_segments)
        rows = data.reshape(ids.size, *data.shape[ids.ndim :])
        if data.dtype.kind == "c":  # complex numbers support only sums
            pairs = rows.reshape(*rows.shape, 1).view(data.real.dtype)
            sums = reduce_segments(gpu.xp, ufunc, pairs, ids.reshape(-1), count, 0)
            return sums.view(data.dtype).reshape(count, *rows.shape[1:])
        wide_rows = rows.astype("f") if data.dtype.itemsize == 2 else rows
        result = reduce_segments(
            gpu.xp, ufunc, wide_rows, ids.reshape(-1), count, start(data.dtype)
        )
        return result.astype(data.dtype, copy=False)

    def kernel(xp, data, ids, num_segments):
        count = segments(data, ids, num_segments)
        if xp is np and ids.ndim == 1 and 0 < data.size < _MAX_NATIVE_ELEMENTS:
            result = np.empty((count, *data.shape[1:]), data.dtype)
            result.fill(start(data.dtype))
            if native_reduce.reduce_rows(ufunc, data, ids, result, starts_seen=True) in _VALID:
                return result
        is_inside = not (data.size and describe_outside_index(ids, count))
        if not is_inside and ids.max() >= count:
            position = np.unravel_index(int((ids >= count).argmax()), ids.shape)
            segment = ids[position]
            where = f"[{','.join(str(i) for i in position)}]" if position else ""
            invalid(f"segment_ids{where} = {segment} is out of range [0, {count})")
        rows = data.reshape(ids.size, *data.shape[ids.ndim :])
        ids = ids.reshape(-1)
        if not data.size:  # ids are not read
            ids, rows = ids[:0], rows[:0]
        elif not is_inside:  # negative ids are skipped
            is_kept = ids >= 0
            ids, rows = ids[is_kept], rows[is_kept]
        first, reduce = start(data.dtype), getattr(xp, ufunc)
        result = reduce_rows(xp, reduce, rows, ids, count, first, is_sorted=False)
        if ufunc not in ("minimum", "maximum") or data.dtype.kind in "iu":
            return result
        if xp.isnan(result).any():
            return _reduce_after_last_nan(xp, reduce, rows, ids, result, first)
        return reduce(result, first)

    opdef = op(
        name,
        "data: T, segment_ids: Tindices, num_segments: Tnumsegments -> output: T",
        sorts_indices=True,
        static_inputs=("num_segments",),
        host_or_cuda=True,
        T=types,
        Tindices=SEGMENT_INDEX,
        Tnumsegments=INDEX32,
    )(kernel)
    opdef.on_gpu(on_gpu)
    opdef.infer(_unsorted_shape)
    if ufunc == "add":
        opdef.bind(lambda ctx: _native_sums(ctx, kernel))
    return opdef


def _native_sums(ctx: Any, other: Callable) -> Callable | None:
    """Returns a kernel that sums rows with valid ids directly or calls `other`; None if inputs may be scalars."""
    if ctx.dims[1] is None or len(ctx.dims[1]) != 1 or not ctx.dims[0] or ctx.dims[2] != ():
        return None

    def sums(data, ids, num_segments):
        if ids.size and 0 <= np.maximum.reduce(ids) < num_segments:
            result = native.sum_rows(data, ids, int(num_segments))
            if result is not None:
                return result
        return other(np, data, ids, num_segments)

    return sums


def _reduce_after_last_nan(
    xp: Any, reduce: Any, rows: Any, ids: Any, result: Any, first: Any
) -> Any:
    """Returns extremes by TensorFlow's rule, `best if best < row else row`: a NaN discards the preceding rows."""
    order = xp.argsort(ids, kind="stable")
    ids, rows = ids[order], rows[order]
    starts = xp.flatnonzero(xp.concatenate([xp.ones(1, bool), ids[1:] != ids[:-1]]))
    sizes = xp.diff(starts, append=ids.size)
    position = xp.arange(ids.size).reshape(-1, *[1] * (rows.ndim - 1))
    last_nan = xp.maximum.reduceat(xp.where(xp.isnan(rows), position, -1), starts, axis=0)
    neutral_value = rows.dtype.type(np.inf if reduce is xp.minimum else -np.inf)
    after = xp.where(position > xp.repeat(last_nan, sizes, axis=0), rows, neutral_value)
    best = reduce.reduceat(after, starts, axis=0, dtype=rows.dtype)
    best = xp.where(last_nan < 0, reduce(best, first), best)
    last_rows = (starts + sizes - 1).reshape(-1, *[1] * (rows.ndim - 1))
    result = result.copy()
    result[ids[starts]] = xp.where(last_nan == last_rows, rows.dtype.type(np.nan), best)
    return result


def _unsorted_shape(op: Any) -> Dims:
    data, ids, num_segments = (t._dims for t in op.inputs)
    with_rank(num_segments, 0)
    if data is not None and ids is not None:
        with_rank_at_least(data, len(ids))
        for m, n in zip(data, ids):
            merge_dim(m, n)
    elif ids is None:
        return None
    count = size_input(op, 2)
    return None if data is None else (count, *data[len(ids) :])


def _finfo(dtype: np.dtype) -> Any:
    return np.finfo(dtype) if dtype.kind == "f" else ml_dtypes.finfo(dtype)


@cache
def _highest(dtype: Any) -> Any:
    return np.iinfo(dtype).max if dtype.kind in "iu" else _finfo(dtype).max


@cache
def _lowest(dtype: Any) -> Any:
    return np.iinfo(dtype).min if dtype.kind in "iu" else _finfo(dtype).min


unsorted_segment_sum_op = _declare("UnsortedSegmentSum", NUMBERS, "add", lambda dtype: 0)
unsorted_segment_prod_op = _declare("UnsortedSegmentProd", NUMBERS, "multiply", lambda dtype: 1)
unsorted_segment_min_op = _declare("UnsortedSegmentMin", REAL_NUMBERS, "minimum", _highest)
unsorted_segment_max_op = _declare("UnsortedSegmentMax", REAL_NUMBERS, "maximum", _lowest)


def _gather_or_zero(
    params: Tensor, ids: Tensor | None, clipped: Any = None, mask: Any = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Gathers rows `ids` of `params`, zeros for negative ids; also returns the ids clipped at 0 and the mask."""
    if clipped is None:
        clipped = ops.maximum(ids, ops.zeros_like(ids))
    gathered = ops.gather(params, clipped)
    if mask is None:
        mask = ops.greater_equal(ids, 0)
        for _ in range(gathered.shape.ndims - mask.shape.ndims):
            mask = ops.expand_dims(mask, -1)
        mask = mask & ops.ones_like(gathered, dtype=dtypes.bool)
    return ops.where(mask, gathered, ops.zeros_like(gathered)), clipped, mask


@unsorted_segment_sum_op.gradient
def _(op, grad):
    return _gather_or_zero(grad, op.inputs[1])[0], None, None


def _unsorted_extreme_gradient(op: Any, grad: Any) -> tuple:
    """Splits the gradient evenly among equal extremes."""
    data, ids, num_segments = op.inputs
    extremes, clipped, mask = _gather_or_zero(op.outputs[0], ids)
    selected = ops.logical_and(ops.equal(data, extremes), mask)
    count = ops.unsorted_segment_sum(ops.cast(selected, grad.dtype), ids, num_segments)
    shares, _, _ = _gather_or_zero(ops.divide(grad, count), None, clipped, mask)
    return ops.where(selected, shares, ops.zeros_like(shares)), None, None


unsorted_segment_min_op.gradient(_unsorted_extreme_gradient)
unsorted_segment_max_op.gradient(_unsorted_extreme_gradient)


@unsorted_segment_prod_op.gradient
def _(op, grad):
    """Returns the gradient, the product divided by each element.

    If a segment contains one zero, the gradient of the zero is the product of the others; if several, all are zero.
    """
    data, ids, num_segments = op.inputs
    is_zero = ops.equal(data, 0)
    zeros = raw.UnsortedSegmentSum(ops.cast(is_zero, dtype=dtypes.int32), ids, num_segments)
    grad = ops.where(ops.greater(zeros, 1), ops.zeros_like(grad), grad)
    nonzero = ops.where(is_zero, ops.ones_like(data), data)
    others_product = raw.UnsortedSegmentProd(nonzero, ids, num_segments)
    clipped = ops.maximum(ids, ops.zeros_like(ids))
    product = ops.gather(op.outputs[0], clipped)
    others_product = ops.gather(others_product, clipped)
    partial = ops.where(is_zero, others_product, product / data)
    return _gather_or_zero(grad, ids, clipped)[0] * partial, None, None


@public
@accepts_ragged("data", "segment_ids", bound=True)
def unsorted_segment_sum(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Sums the rows with equal segment ids, in any order.

    Args:
      data: numeric tensor [..., ...], whose shape starts with the shape of `segment_ids`.
      segment_ids: integer tensor of any rank; rows with negative ids are dropped.
      num_segments: the number of segments, a scalar greater than every id.

    Returns:
      [num_segments, ...] Tensor; zeros for empty segments.

    Raises:
      InvalidArgumentError (when run): if an id is not less than `num_segments`.

    Example: `tf.unsorted_segment_sum([1, 2, 3], [1, 0, 1], 3)` is `[2, 4, 0]`.
    """
    return raw.UnsortedSegmentSum(data, segment_ids, num_segments, name=name)


@public
@accepts_ragged("data", "segment_ids", bound=True)
def unsorted_segment_prod(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Returns the products of rows with equal segment ids, or 1 if there are none; see `tf.unsorted_segment_sum`."""
    return raw.UnsortedSegmentProd(data, segment_ids, num_segments, name=name)


@public
@accepts_ragged("data", "segment_ids", bound=True)
def unsorted_segment_min(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Returns the minima of rows with equal segment ids, or the highest number of the dtype for empty segments."""
    return raw.UnsortedSegmentMin(data, segment_ids, num_segments, name=name)


@public
@accepts_ragged("data", "segment_ids", bound=True)
def unsorted_segment_max(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Returns the maxima of rows with equal segment ids, or the lowest number of the dtype for empty segments."""
    return raw.UnsortedSegmentMax(data, segment_ids, num_segments, name=name)


def _segment_sizes(data: Tensor, ids: Tensor, num_segments: Any) -> Tensor:
    """Returns the number of rows in each segment, at least 1, as a divisor."""
    ones = ops.ones(ops.shape_internal(ids), dtype=data.dtype)
    sizes = raw.UnsortedSegmentSum(ones, ids, num_segments)
    ranks: tuple[Any, Any] = data.shape.ndims, ids.shape.ndims
    trailing = ranks[0] - ranks[1]  # raises TypeError for an unknown rank
    sizes = ops.reshape(sizes, [num_segments] + [1] * trailing)
    return raw.Maximum(sizes, 1)


@public
@accepts_ragged("data", "segment_ids")
def unsorted_segment_mean(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Returns the means of rows with equal segment ids, or zeros if there are none; see `tf.unsorted_segment_sum`."""
    with name_scope(name, "UnsortedSegmentMean"):
        data = ops.convert_to_tensor(data)
        segment_ids = ops.convert_to_tensor(segment_ids)
        sizes = _segment_sizes(data, segment_ids, num_segments)
        return raw.UnsortedSegmentSum(data, segment_ids, num_segments) / sizes


@public
@accepts_ragged("data", "segment_ids")
def unsorted_segment_sqrt_n(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: str | None = None
) -> Tensor:
    """Returns the segment sums divided by the square root of the number of rows; see `tf.unsorted_segment_sum`."""
    with name_scope(name, "UnsortedSegmentSqrtN"):
        data = ops.convert_to_tensor(data)
        segment_ids = ops.convert_to_tensor(segment_ids)
        sizes = _segment_sizes(data, segment_ids, num_segments)
        return raw.UnsortedSegmentSum(data, segment_ids, num_segments) / raw.Sqrt(sizes)
