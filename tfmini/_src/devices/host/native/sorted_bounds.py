"""Insertion positions of values in sorted rows, computed for all rows in one call."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import SUFFIXES, address, function, is_contiguous
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_VALUES = 1 << 14


def bounds(lines: np.ndarray, values: np.ndarray, is_upper: bool) -> np.ndarray | None:
    """Returns the insertion position, int64 [rows, n], of each value in its sorted row of `lines` [rows, size]; None if
    NumPy must compute it.

    is_upper: whether to insert after equal elements instead of before.
    """
    if values.dtype not in SUFFIXES or lines.dtype != values.dtype or not values.size:
        return None
    if len(lines) != len(values) or not (is_contiguous(lines) and is_contiguous(values)):
        return None
    kernel = function(f"{'upper' if is_upper else 'lower'}_bounds_{SUFFIXES[values.dtype]}")
    if kernel is None:
        return None
    result = np.empty(values.shape, np.int64)
    threads = thread_count() if values.size >= _MIN_PARALLEL_VALUES else 1
    sizes = *lines.shape, values.shape[1], threads
    kernel(address(lines), address(values), address(result), *sizes)
    return result
