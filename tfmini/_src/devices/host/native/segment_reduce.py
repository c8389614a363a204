"""Segment products, maxima and minima: reductions of the rows that share an id."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import (
    IDS,
    SUFFIXES,
    address,
    function,
    in_one_piece,
)
from tfmini._src.devices.host.threads import thread_count

_MIN_ELEMENTS = 1 << 11  # below, NumPy's calls cost less
_MIN_PARALLEL_ELEMENTS = 1 << 17
_KINDS = ("maximum", "minimum", "multiply")


def reduce_rows(
    reduce: str, rows: np.ndarray, ids: np.ndarray, result: np.ndarray, onto: bool = False
) -> np.ndarray | None:
    """`result` with the `reduce` ("maximum", "minimum", "multiply") of the rows of each id; ids without rows keep the
    value in `result`, ids out of range are skipped. With `onto`, the current values are reduced too, before the rows.

    Returns None, with nothing changed, if numpy must compute it.
    """
    if rows.size < _MIN_ELEMENTS or reduce not in _KINDS or rows.dtype != result.dtype:
        return None
    if rows.shape[1:] != result.shape[1:]:
        return None
    supported = rows.dtype in SUFFIXES and ids.dtype in IDS and ids.shape == rows.shape[:1]
    if not (supported and all(map(in_one_piece, (rows, ids, result)))):
        return None
    name = f"{reduce}_by_{SUFFIXES[ids.dtype]}_{SUFFIXES[rows.dtype]}"
    kernel = function(name)
    if kernel is None:
        return None
    count = len(ids)
    seen = (np.ones if onto else np.zeros)(len(result), np.uint8)
    args = address(rows), address(ids), address(result), address(seen)
    threads = thread_count() if rows.size >= _MIN_PARALLEL_ELEMENTS else 1
    kernel(*args, count, rows.size // count, len(result), threads)
    return result
