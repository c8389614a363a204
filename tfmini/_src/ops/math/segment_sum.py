"""Segment reductions with sorted segment ids."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native import segment_reduce, sparse_rows
from tfmini._src.devices.host.native.segment_reduce import IDS_ASCENDING, IDS_CHECKED, IDS_IN_RANGE
from tfmini._src.devices.numpy.segment_reduce import reduce_rows
from tfmini._src.graph.opdef import Attr, OpDef, op, public, raw
from tfmini._src.graph.shape_inference import Dims, with_rank, with_rank_at_least
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.math.reduction_kernels import integer_mean
from tfmini._src.ops.type_lists import NUMBERS, REAL_NUMBERS

SEGMENT_INDEX = Attr("type", allowed=(dtypes.int32, dtypes.int64))


def count_sorted_segments(ids: Any, count: int | None = None) -> int:
    """Returns the number of segments, by default the last id plus one; raises InvalidArgumentError for unsorted ids."""
    if not ids.size:
        return count or 0
    if count is None:
        count = int(ids[-1]) + 1
        if count <= 0:
            invalid("segment ids must be >= 0")
    is_falling = ids[1:] < ids[:-1]
    if ids[0] < 0 or is_falling.any():
        end = int(is_falling.argmax()) + 1 if is_falling.any() else ids.size
        # Checked in row order: an out-of-range id is an error only if the next one differs.
        is_outside = (ids[:end] < 0) | (ids[:end] >= count)
        is_outside[1:] &= ids[1:end] != ids[: end - 1]
        first = is_outside.nonzero()[0]
        if first.size and (end == ids.size or (ids[first[0] : end] != ids[first[0]]).any()):
            invalid(
                f"Segment id {ids[first[0]]} out of range [0, {count}), possibly because "
                "'segment_ids' input is not sorted."
            )
        invalid("segment ids are not increasing")
    return count


def _check_ids(data: Any, ids: Any) -> None:
    if ids.ndim != 1:
        invalid("segment_ids should be a vector.")
    if not data.ndim or ids.shape[0] != data.shape[0]:
        invalid("segment_ids should be the same size as dimension 0 of input.")


_VALID = IDS_CHECKED | IDS_IN_RANGE | IDS_ASCENDING  # flags for valid ids and results without NaN
_MAX_NATIVE_ELEMENTS = 1 << 18  # elements: below, one native call checks the ids and adds


@lru_cache(maxsize=64)
def _all_rows(count: int) -> np.ndarray:
    return np.arange(count, dtype=np.int32)


def _segment(
    name: str,
    types: tuple,
    reduce: Callable,
    start: Any,
    scaling: int | None = None,
    ufunc: str | None = None,
) -> OpDef:
    """Declares a segment reduction.

    scaling: the scaling of `segment_sums`, which is used for small inputs; None if unsupported.
    ufunc: the reduction computed in one native call for small inputs without NaN; None if unsupported.
    """

    def kernel(xp, data, ids):
        _check_ids(data, ids)
        if xp is np and scaling is not None and data.size < _MAX_NATIVE_ELEMENTS:
            rows = _all_rows(len(ids))
            if (sums := sparse_rows.segment_sums(data, rows, ids, None, scaling)) is not None:
                return sums
        if xp is np and ufunc and 0 < data.size < _MAX_NATIVE_ELEMENTS:
            count = ids.item(ids.size - 1) + 1
            if 0 < count * (data.size // ids.size) < _MAX_NATIVE_ELEMENTS:
                result = np.empty((count, *data.shape[1:]), data.dtype)
                result.fill(start)
                if segment_reduce.reduce_rows(ufunc, data, ids, result) == _VALID:
                    return result
        return reduce(xp, data, ids, count_sorted_segments(ids), start)

    opdef = op(
        name,
        "data: T, segment_ids: Tindices -> output: T",
        sized_by_values=True,
        host_or_cuda=True,
        T=types,
        Tindices=SEGMENT_INDEX,
    )(kernel)

    @opdef.on_gpu
    def _(gpu, data, ids):
        """Synchronizes to read the last id, which determines the number of segments; does not check the order."""
        _check_ids(data, ids)
        count = int(gpu.receive(gpu.send(ids[-1:]))[0]) + 1 if ids.size else 0
        if ids.size and count <= 0:
            invalid("segment ids must be >= 0")
        return reduce(gpu.xp, data, ids, count, start)

    @opdef.infer
    def _(op) -> Dims:
        dims = with_rank_at_least(op.inputs[0]._dims, 1)
        with_rank(op.inputs[1]._dims, 1)
        return None if dims is None else (None, *dims[1:])

    return opdef


def _segment_reducer(ufunc: str) -> Callable:
    def reduce(xp, data, ids, count, start):
        return reduce_rows(xp, getattr(xp, ufunc), data, ids, count, start, is_sorted=True)

    return reduce


def _extreme(ufunc: str, worst: float) -> Callable:
    """Returns the extremes of the rows, ignoring NaN except in segments of a single row."""
    reduce_segments = _segment_reducer(ufunc)

    def reduce(xp, data, ids, count, start):
        result = reduce_segments(xp, data, ids, count, start)
        if data.dtype.kind not in "iu":
            wrong = xp.isnan(result)
            if wrong.any():
                values = xp.where(xp.isnan(data), data.dtype.type(worst), data)
                several = xp.bincount(ids, minlength=count) > 1
                wrong &= several.reshape(-1, *[1] * (data.ndim - 1))
                result = xp.where(wrong, reduce_segments(xp, values, ids, count, start), result)
        return result

    return reduce


def _mean(xp, data, ids, count, start):
    total = reduce_rows(xp, xp.add, data, ids, count, start, is_sorted=True)
    size = xp.maximum(xp.bincount(ids, minlength=count), 1).reshape(-1, *[1] * (data.ndim - 1))
    if data.dtype.kind in "iu":
        return integer_mean(xp, total, size)
    return xp.divide(total, size.astype(data.dtype), out=total)


segment_sum_op = _segment("SegmentSum", NUMBERS, _segment_reducer("add"), 0, scaling=0)
segment_mean_op = _segment("SegmentMean", NUMBERS, _mean, 0, scaling=1)
segment_prod_op = _segment(
    "SegmentProd", NUMBERS, _segment_reducer("multiply"), 1, None, "multiply"
)
segment_min_op = _segment(
    "SegmentMin", REAL_NUMBERS, _extreme("minimum", np.inf), 0, None, "minimum"
)
segment_max_op = _segment(
    "SegmentMax", REAL_NUMBERS, _extreme("maximum", -np.inf), 0, None, "maximum"
)


@segment_sum_op.gradient
def _(op, grad):
    return ops.gather(grad, op.inputs[1]), None


@segment_mean_op.gradient
def _(op, grad):
    data, ids = op.inputs
    rank = ops.rank(data)
    ids_shape = ops.shape(ids)
    trailing = ops.fill(ops.expand_dims(rank - 1, 0), 1)
    ones_shape = ops.concat([ids_shape, trailing], 0)
    ones = ops.fill(ones_shape, ops.constant(1, dtype=grad.dtype))
    scaled = ops.divide(grad, ops.segment_sum(ones, ids))
    return ops.gather(scaled, ids), None


def _segment_extreme_gradient(op: Any, grad: Any) -> tuple:
    """Splits the gradient evenly among equal extremes."""
    data, ids = op.inputs
    zeros = ops.zeros_like(data, dtype=data.dtype)
    mask = ops.equal(data, ops.gather(op.outputs[0], ids))
    count = ops.segment_sum(ops.cast(mask, grad.dtype), ids)
    shares = ops.gather(ops.divide(grad, count), ids)
    return ops.where(mask, shares, zeros), None


segment_min_op.gradient(_segment_extreme_gradient)
segment_max_op.gradient(_segment_extreme_gradient)


@public
def segment_sum(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Sums the rows with equal segment ids; empty segments are zeros.

    Args:
      data: numeric tensor [n, ...].
      segment_ids: [n] tensor of sorted, non-negative integers.

    Returns:
      [segments, ...] Tensor with one row per id up to the last.

    Raises:
      InvalidArgumentError (when run): if the ids are unsorted or negative.

    Example: `tf.segment_sum([1, 2, 3], [0, 0, 2])` is `[3, 0, 3]`.
    """
    return raw.SegmentSum(data, segment_ids, name=name)


@public
def segment_mean(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Returns the means of rows with equal segment ids, or zeros for empty segments; see `tf.segment_sum`."""
    return raw.SegmentMean(data, segment_ids, name=name)


@public
def segment_prod(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Returns the products of rows with equal segment ids, or ones for empty segments; see `tf.segment_sum`."""
    return raw.SegmentProd(data, segment_ids, name=name)


@public
def segment_min(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Returns the minima of rows with equal segment ids, or zeros for empty segments; see `tf.segment_sum`."""
    return raw.SegmentMin(data, segment_ids, name=name)


@public
def segment_max(data: TensorLike, segment_ids: TensorLike, name: str | None = None) -> Tensor:
    """Returns the maxima of rows with equal segment ids, or zeros for empty segments; see `tf.segment_sum`."""
    return raw.SegmentMax(data, segment_ids, name=name)
