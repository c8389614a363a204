"""Integer quotients and remainders."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import (
    IDS,
    SUFFIXES,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

_MIN_ELEMENTS = 2
_MIN_PARALLEL_ELEMENTS = 1 << 15


def divide_integers(name: str, x: np.ndarray, y: np.ndarray) -> np.ndarray | None:
    """Returns NumPy's "floor_divide" or "remainder" of two arrays of one shape, or of an array and one element; None if
    NumPy must compute it, for example for a divisor of 0 or for large numbers.
    """
    if (
        x.size < _MIN_ELEMENTS
        or x.dtype not in IDS
        or (y.shape != x.shape and (y.size != 1 or y.ndim > x.ndim))
    ):
        return None
    kernel = function(f"{name}_{SUFFIXES[x.dtype]}")
    if kernel is None or not is_contiguous(x):
        return None
    y, result = np.ascontiguousarray(y), np.empty(x.shape, x.dtype)
    threads = thread_count() if x.size >= _MIN_PARALLEL_ELEMENTS else 1
    arrays = x, y, result
    return result if kernel(*arrays, x.size, int(y.size > 1), threads) else None
