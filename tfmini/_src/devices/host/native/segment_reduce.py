"""Segment products, maxima and minima: reductions of the rows that share an id."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import (
    IDS,
    SUFFIXES,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_ELEMENTS = 1 << 17
# Flags: ids were checked, ids are in range, ids are ascending, the result has NaN.
IDS_CHECKED, IDS_IN_RANGE, IDS_ASCENDING, RESULT_HAS_NAN = 1, 2, 4, 8
_REDUCTIONS = ("maximum", "minimum", "multiply")


def reduce_rows(
    reduce: str, rows: np.ndarray, ids: np.ndarray, result: np.ndarray, starts_seen: bool = False
) -> int | None:
    """Stores the `reduce` ("maximum", "minimum", "multiply") of the rows with each id in `result`. Ids without rows
    keep their value, ids out of range are skipped. With `starts_seen`, the current values are reduced first.

    Returns flags about `ids` and `result`: 0 if unknown, else IDS_CHECKED and IDS_IN_RANGE, ASCENDING or HAS_NAN. If
    NumPy must compute it, changes nothing and returns None.
    """
    if not rows.size or reduce not in _REDUCTIONS or rows.dtype != result.dtype:
        return None
    if rows.shape[1:] != result.shape[1:]:
        return None
    supported = rows.dtype in SUFFIXES and ids.dtype in IDS and ids.shape == rows.shape[:1]
    if not (supported and all(map(is_contiguous, (rows, ids, result)))):
        return None
    name = f"{reduce}_by_{SUFFIXES[ids.dtype]}_{SUFFIXES[rows.dtype]}"
    kernel = function(name)
    if kernel is None:
        return None
    count = len(ids)
    seen = (np.ones if starts_seen else np.zeros)(len(result), np.uint8)
    args = rows, ids, result, seen
    threads = thread_count() if rows.size >= _MIN_PARALLEL_ELEMENTS else 1
    flags: int = kernel(*args, count, rows.size // count, len(result), threads)
    return flags
