"""Distinct values and list differences."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.devices.host.native import sparse_rows
from tfmini._src.devices.host.native.number_index import NumberIndex
from tfmini._src.devices.host.native.string_index import StringIndex
from tfmini._src.graph.opdef import op, public, raw
from tfmini._src.graph.shape_inference import Dims, with_rank
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops.operands import ANY, INDEX32, INDEX64

# Ratio of value range to element count above which values are sorted.
_SPREAD = 16


def _distinct(xp: Any, x: Any, axis: int) -> tuple[Any, Any]:
    """Returns the distinct slices in order of first occurrence, and the index of each slice among them."""
    if x.dtype == object:
        if x.ndim == 1 and StringIndex.is_available():
            return _distinct_keys(StringIndex(), x)
        return _distinct_objects(x, axis)
    if x.ndim == 1:
        if xp is np and x.dtype.kind == "f" and _are_equal_with_equal_bits(x):
            y, indices = _distinct(xp, x.view(f"i{x.itemsize}"), axis)
            return y.view(x.dtype), indices
        if xp is np and x.size and x.dtype.kind in "iu" and x.dtype != np.uint64:
            low, high = int(x.min()), int(x.max())
            if high - low <= _SPREAD * x.size:
                return _distinct_by_table(x, low, high)
            if NumberIndex.is_available():
                y, indices = _distinct_keys(NumberIndex(), x)
                return y.astype(x.dtype, copy=False), indices
        first, inverse = _groups(xp, x)
    else:
        _, first, inverse = xp.unique(x, True, True, axis=axis, equal_nan=False)
    order = first.argsort()
    indices = xp.empty_like(order)
    indices[order] = xp.arange(order.size)
    return x.take(first[order], axis), indices[inverse.reshape(-1)]


def _are_equal_with_equal_bits(x: np.ndarray) -> bool:
    """Whether equal floats of a vector have equal bits, and vice versa: it contains neither NaN nor -0."""
    return not (np.isnan(x) | (x == 0) & np.signbit(x)).any()


def _distinct_keys(index: Any, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`_distinct` for a vector of keys; uses a hash index that numbers keys in order of insertion."""
    indices = index.add(x)
    return index.keys(), indices


def _distinct_by_table(x: np.ndarray, low: int, high: int) -> tuple[np.ndarray, np.ndarray]:
    """`_distinct` for integers in a narrow range; looks up first positions in a table instead of sorting."""
    positions = np.arange(x.size)
    keys = x.astype(np.int64) - low
    table = np.empty(high - low + 1, np.int64)  # only written elements are read
    table[keys[::-1]] = positions[::-1]  # the last write wins: the first occurrence of each value
    first = table[keys]
    is_first = first == positions
    indices = is_first.cumsum() - 1
    return x[is_first], indices[first]


def _groups(xp: Any, x: Any) -> tuple[Any, Any]:
    """Returns the first position of each distinct value, and the index of the value of each element."""
    order = x.argsort(kind="stable")
    ranked = x[order]
    starts = xp.ones(x.size, bool)
    xp.not_equal(ranked[1:], ranked[:-1], out=starts[1:])
    inverse = xp.empty(x.size, np.int64)
    inverse[order] = starts.cumsum() - 1
    return order[starts], inverse


def _distinct_objects(x: np.ndarray, axis: int) -> tuple[Any, Any]:
    ids: dict[Any, int] = {}
    first: list[int] = []
    inverse = np.empty(x.shape[axis], np.int64)
    for i, part in enumerate(np.moveaxis(x, axis, 0)):
        key = part if x.ndim == 1 else tuple(part.ravel())
        index = ids.setdefault(key, len(first))
        if index == len(first):
            first.append(i)
        inverse[i] = index
    return x.take(np.array(first, np.int64), axis), inverse


def _checked_axis(x: Any, axis: Any) -> int:
    """Returns the specified axis; for a vector, 0 by default."""
    if axis is None or not axis.size:
        if x.ndim != 1:
            invalid("unique expects a 1D vector.")
        return 0
    if axis.ndim != 1:
        invalid("axis expects a 1D vector.")
    if axis.size > 1:
        invalid("axis does not support input tensors larger than 1 elements")
    dim = int(axis[0])
    if dim < 0:
        dim += x.ndim
    if not 0 <= dim < x.ndim:
        invalid(f"axis has to be between [0, {x.ndim})")
    return dim


@op("Unique", "x: T -> y: T, idx: out_idx", T=ANY, out_idx=INDEX32)
def unique_op(xp, x, *, out_idx):
    if xp is np and x.ndim == 1 and x.dtype != object:
        distinct = sparse_rows.distinct(x, out_idx.numpy)
        if distinct is not None:
            return distinct
    y, idx = _distinct(xp, x, _checked_axis(x, None))
    return y, idx.astype(out_idx.numpy)


@op("UniqueV2", "x: T, axis: Taxis -> y: T, idx: out_idx", T=ANY, Taxis=INDEX64, out_idx=INDEX32)
def unique_v2(xp, x, axis, *, out_idx):
    y, idx = _distinct(xp, x, _checked_axis(x, axis))
    return y, idx.astype(out_idx.numpy)


@op("UniqueWithCounts", "x: T -> y: T, idx: out_idx, count: out_idx", T=ANY, out_idx=INDEX32)
def unique_with_counts_op(xp, x, *, out_idx):
    y, idx = _distinct(xp, x, _checked_axis(x, None))
    count = xp.bincount(idx)
    return y, idx.astype(out_idx.numpy), count.astype(out_idx.numpy)


@op(
    "UniqueWithCountsV2",
    "x: T, axis: Taxis -> y: T, idx: out_idx, count: out_idx",
    T=ANY,
    Taxis=INDEX64,
    out_idx=INDEX32,
)
def unique_with_counts_v2(xp, x, axis, *, out_idx):
    y, idx = _distinct(xp, x, _checked_axis(x, axis))
    count = xp.bincount(idx)
    return y, idx.astype(out_idx.numpy), count.astype(out_idx.numpy)


def _unique_dims(op: Any) -> list[Dims]:
    # TensorFlow's shape rule: a vector, and the input's shape, regardless of the axis.
    return [(None,), op.inputs[0]._dims, (None,)][: len(op.outputs)]


unique_with_counts_op.infer(_unique_dims)
unique_v2.infer(_unique_dims)
unique_with_counts_v2.infer(_unique_dims)


@unique_op.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 1)  # UniqueWithCounts leaves this check to the kernel
    return _unique_dims(op)


@public
def unique(x: TensorLike, out_idx: DTypeLike = dtypes.int32, name: str | None = None) -> Any:
    """Finds the distinct values of a vector, in order of first occurrence.

    Args:
      x: a vector.
      out_idx: int32 or int64, the dtype of `idx`.

    Returns:
      A named tuple (y, idx) with `x[i] == y[idx[i]]`.

    Example: for [3, 3, 9], the values are [3, 9] and the indices [0, 0, 1].
    """
    return raw.Unique(x, out_idx=out_idx, name=name)


@public
def unique_with_counts(
    x: TensorLike, out_idx: DTypeLike = dtypes.int32, name: str | None = None
) -> Any:
    """Same as `tf.unique`, with the count of each value: returns a named tuple (y, idx, count)."""
    return raw.UniqueWithCounts(x, out_idx=out_idx, name=name)


@op("ListDiff", "x: T, y: T -> out: T, idx: out_idx", T=ANY, out_idx=INDEX32)
def list_diff(xp, x, y, *, out_idx):
    for name, value in (("x", x), ("y", y)):
        if getattr(value, "ndim", 0) != 1:
            invalid(f"{name} should be a 1D vector.")
    if x.dtype == object:
        excluded = set(y.tolist())
        array = np.array([value not in excluded for value in x.tolist()], bool)
    else:
        array = _is_outside(x, y) if xp is np and x.size and y.size else ~xp.isin(x, y)
    return x[array], xp.flatnonzero(array).astype(out_idx.numpy)


def _is_outside(x: np.ndarray, y: np.ndarray) -> Any:
    """Returns a bool mask of the elements of `x` that are not in `y`, using a table if the range of `y` is small."""
    if x.dtype.kind in "iu" and x.dtype.itemsize <= 4:
        low = int(y.min())
        span = int(y.max()) - low
        if span <= 8 * (x.size + y.size):
            is_outside = np.ones(span + 3, bool)  # the ends: values outside the range
            is_outside[y.astype(np.int64) - (low - 1)] = False
            return is_outside.take(x.astype(np.int64) - (low - 1), mode="clip")
    return ~np.isin(x, y)


@list_diff.infer
def _(op) -> list[Dims]:
    with_rank(op.inputs[0]._dims, 1)
    with_rank(op.inputs[1]._dims, 1)
    return [(None,), (None,)]


@public
@deprecated(
    "2018-11-30",
    "This op will be removed after the deprecation date. Please switch to tf.sets.difference().",
)
def setdiff1d(
    x: TensorLike, y: TensorLike, index_dtype: DTypeLike = dtypes.int32, name: str | None = None
) -> Any:
    """Returns the values of vector `x` that do not occur in vector `y`.

    Args:
      x, y: vectors of the same dtype.
      index_dtype: int32 or int64, the dtype of `idx`.

    Returns:
      A named tuple (out, idx) with `out[i] == x[idx[i]]`.
    """
    return raw.ListDiff(x, y, out_idx=index_dtype, name=name)


# Sorted lists ------------------------------------------------------------------------------------
