"""Insertion indices in sorted sequences."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.errors import invalid
from tfmini._src.devices.host.native import sorted_bounds
from tfmini._src.graph.opdef import op, raw
from tfmini._src.graph.shape_inference import checked_ranks
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.operands import ANY, INDEX32, row_count


def _search(xp: Any, sorted_inputs: Any, values: Any, side: str, dtype: dtypes.DType) -> Any:
    if row_count(sorted_inputs) != row_count(values):
        invalid("Leading dim_size of both tensors must match.")
    count = len(values)
    lines, expected = (x.reshape(count, x.size // max(1, count)) for x in (sorted_inputs, values))
    if xp is np and count > 1 and lines.shape[1] < _MIN_SORTED_SEARCHES:
        bounds = sorted_bounds.bounds(lines, expected, side == "right")
        if bounds is not None:
            return bounds.astype(dtype.numpy, copy=False).reshape(values.shape)
    result = xp.empty(expected.shape, dtype.numpy)
    for row in range(count):
        result[row] = _search_line(xp, lines[row], expected[row], side)
    if values.dtype.kind == "f":  # all comparisons with NaN are false
        outside_index = result.dtype.type(0 if side == "left" else lines.shape[1])
        result = xp.where(xp.isnan(expected), outside_index, result)
    return result.reshape(values.shape)


_MIN_SORTED_SEARCHES = (
    1 << 15
)  # above, sorting the searched values pays off: neighboring searches are close


def _search_line(xp: Any, line: Any, expected: Any, side: str) -> Any:
    if (
        xp is not np
        or expected.dtype == object
        or min(line.size, expected.size) < _MIN_SORTED_SEARCHES
    ):
        return xp.searchsorted(line, expected, side)
    order = expected.argsort()
    result = np.empty(expected.size, np.int64)
    result[order] = line.searchsorted(expected[order], side)
    return result


@op(
    "LowerBound",
    "sorted_inputs: T, values: T -> output: out_type",
    infer=checked_ranks(2, 2, result=lambda op: op.inputs[1]._dims),
    T=ANY,
    out_type=INDEX32,
)
def lower_bound(xp, sorted_inputs, values, *, out_type):
    return _search(xp, sorted_inputs, values, "left", out_type)


@op(
    "UpperBound",
    "sorted_inputs: T, values: T -> output: out_type",
    infer=checked_ranks(2, 2, result=lambda op: op.inputs[1]._dims),
    T=ANY,
    out_type=INDEX32,
)
def upper_bound(xp, sorted_inputs, values, *, out_type):
    return _search(xp, sorted_inputs, values, "right", out_type)


def searchsorted(
    sorted_sequence: TensorLike,
    values: TensorLike,
    side: str = "left",
    out_type: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Finds the insertion index of each value in a sorted sequence, along the last axis.

    Args:
      sorted_sequence: a tensor whose last axis is sorted.
      values: a tensor of the same dtype and leading axes.
      side: "left" for the first suitable index, "right" for the last.
      out_type: int32 or int64.

    Raises:
      ValueError: for an unknown `side`.
    """
    size = ops.shape_internal(sorted_sequence)[-1]
    values_size = ops.shape_internal(values)[-1]
    sequence_2d = ops.reshape(sorted_sequence, [-1, size])
    values_2d = ops.reshape(values, [-1, values_size])
    if side not in ("left", "right"):
        raise ValueError(f"side must be either 'right' or 'left'.  Saw: {side}.")
    bound = raw.UpperBound if side == "right" else raw.LowerBound
    positions = bound(sequence_2d, values_2d, out_type=out_type, name=name)
    return ops.reshape(positions, ops.shape_internal(values))
