"""Ragged ranges, and repetition of ranges of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.shape_inference import Dims, merge_dim, with_rank_at_most
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import INDEX64
from tfmini._src.ops.ragged.ragged_tensor import RaggedTensor

_NUMBERS = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)


@op(
    "RaggedRange",
    "starts: T, limits: T, deltas: T -> rt_nested_splits: Tsplits, rt_dense_values: T",
    sized_by_values=True,
    differentiable=False,
    T=Attr("type", dtypes.int32, allowed=(dtypes.bfloat16, *_NUMBERS[2:], *_NUMBERS[:2])),
    Tsplits=INDEX64,
)
def ragged_range_op(xp, starts, limits, deltas, *, Tsplits):
    values = [np.asarray(value) for value in (starts, limits, deltas)]
    for value, name in zip(values, ("starts", "limits", "deltas")):
        if value.ndim > 1:
            invalid(f"{name} must be a scalar or vector")
    sizes = {value.size for value in values if value.ndim}
    if len(sizes) > 1:
        invalid("starts, limits, and deltas must have the same shape")
    rows = sizes.pop() if sizes else 1
    starts, limits, deltas = (np.broadcast_to(value, rows) for value in values)
    if (deltas == 0).any():
        invalid("Requires delta != 0")
    if starts.dtype.kind == "i":
        exact_starts = (
            starts.astype(object) if starts.dtype == np.int64 else starts.astype(np.int64)
        )
        ends, steps = limits.astype(exact_starts.dtype), deltas.astype(exact_starts.dtype)
        counts = np.maximum(-((exact_starts - ends) // steps), 0).astype(np.int64)
    else:
        lengths = (limits.astype(np.float64) - starts.astype(np.float64)) / deltas.astype(
            np.float64
        )
        counts = np.maximum(np.ceil(lengths), 0).astype(np.int64)
    splits = np.concatenate([[0], np.cumsum(counts)]).astype(Tsplits.as_numpy_dtype)
    positions = np.arange(splits[-1]) - np.repeat(splits[:-1], counts)
    first, step = np.repeat(starts, counts), np.repeat(deltas, counts)
    return splits, (first + positions.astype(starts.dtype) * step).astype(starts.dtype)


@ragged_range_op.infer
def _(op) -> list[Dims]:
    size = None
    for tensor in op.inputs:
        dims = with_rank_at_most(tensor._dims, 1)
        if dims:
            size = merge_dim(dims[0], size)
    scalars = all(tensor._dims == () for tensor in op.inputs)
    rows = 1 if scalars else size
    return [(None if rows is None else rows + 1,), (None,)]


@public(name="ragged_range")
def range(
    starts: TensorLike,
    limits: TensorLike | None = None,
    deltas: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    row_splits_dtype: DTypeLike = dtypes.int64,
) -> RaggedTensor:
    """Creates ragged ranges: row i runs from `starts[i]` up to but excluding `limits[i]` in steps of `deltas[i]`.

    Args:
      starts: vector or scalar; if `limits` is None, these are the limits and rows start at 0.
      limits: vector or scalar.
      deltas: vector or scalar.
      dtype: the dtype of the numbers; by default one that can represent all of these.
      row_splits_dtype: int32 or int64.

    Raises:
      InvalidArgumentError (when run): if vectors differ in length, or a delta is 0.

    Example: `tf.ragged.range([2, 0, 1])` is [[0, 1], [], [0]].
    """
    row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
    if limits is None:
        starts, limits = 0, starts
    with name_scope(name, "RaggedRange", [starts, limits, deltas]) as name:
        arguments = [
            ops.convert_to_tensor(value, dtype=dtype, name=part)
            for value, part in ((starts, "starts"), (limits, "limits"), (deltas, "deltas"))
        ]
        if dtype is None:
            widest = max((tensor.dtype for tensor in arguments), key=_NUMBERS.index)
            arguments = [ops.cast(tensor, widest) for tensor in arguments]
        splits, values = raw.RaggedRange(*arguments, Tsplits=row_splits_dtype, name=name)
        return RaggedTensor.from_row_splits(values, splits, validate=False)


def repeat_ranges(params: Tensor, splits: Tensor, repeats: Any) -> Tensor:
    """Repeats each of the ranges of `params` that end at `splits` `repeats` times."""
    if repeats.shape.ndims != 0:
        starts = ops.repeat(splits[:-1], repeats, axis=0)
        limits = ops.repeat(splits[1:], repeats, axis=0)
    else:
        repeated = ops.repeat(splits, repeats, axis=0)
        count = ops.shape(repeated, out_type=repeats.dtype)[0]
        starts = repeated[: count - repeats]
        limits = repeated[repeats:]
    one = ops.ones((), starts.dtype)
    return ops.gather(params, raw.RaggedRange(starts, limits, one)[1])
