"""Segment reduction: reduces the rows of each id to one row."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.cuda.gather_scatter import reduce_segments, scatters
from tfmini._src.devices.cuda.launch import runs_cuda
from tfmini._src.devices.host.native import rows as native, segment_reduce
from tfmini._src.devices.numpy.row_scatter import is_applicable, sum_rows


def reduce_rows(
    xp: ArrayModule, reduce: Any, rows: Array, ids: Array, count: int, start: Any, is_sorted: bool
) -> Array:
    """Applies `reduce` (a binary ufunc) to the rows of each id; the result is `start` for ids without rows.

    Sums of many rows are computed as a sparse product, others and products by `ufunc.at`, which needs no sorting.
    """
    if reduce is np.add and xp is np:
        output = native.sum_rows(rows, ids, count)
        if output is not None:
            return output
        if is_applicable(rows, ids):
            return sum_rows(rows, ids, count)
    operation = reduce.__name__.removeprefix("cupy_")
    if runs_cuda(xp) and scatters(rows.dtype, operation):
        return reduce_segments(xp, operation, rows, ids, count, start, is_sorted)
    result = xp.full((count, *rows.shape[1:]), start, rows.dtype)
    if (
        not ids.size
        or xp is np
        and segment_reduce.reduce_rows(operation, rows, ids, result) is not None
    ):
        return result
    if xp is np and reduce in (np.add, np.multiply) and (rows.dtype.char == "e" or not is_sorted):
        reduce.at(result, ids, rows)  # `reduceat` would not round each step of halves
        return result
    if not is_sorted:
        order = xp.argsort(ids, kind="stable")
        ids, rows = ids[order], rows[order]
    first = xp.flatnonzero(xp.concatenate([xp.ones(1, bool), ids[1:] != ids[:-1]]))
    if first.size == ids.size:  # all segments have one row
        result[ids] = rows
    else:
        result[ids[first]] = reduce.reduceat(rows, first, axis=0, dtype=rows.dtype)
    return result
