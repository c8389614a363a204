"""Cumulative sums and products along an axis."""

from __future__ import annotations

import math

import numpy as np

from tfmini._src.devices.host.native.library import (
    SUFFIXES,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

_MIN_ELEMENTS = 1 << 8  # below, NumPy's call costs less
_MIN_PARALLEL_ELEMENTS = 1 << 17


def scan(ufunc: str, x: np.ndarray, axis: int, exclusive: bool, reverse: bool) -> np.ndarray | None:
    """Accumulates `x` by "add" or "multiply" along an axis, from the end if `reverse`, without the element itself if
    `exclusive`; None if NumPy must compute it.
    """
    if x.size < _MIN_ELEMENTS or x.dtype not in SUFFIXES or not is_contiguous(x):
        return None
    kernel = function(f"scan_{ufunc}_{SUFFIXES[x.dtype]}")
    if kernel is None:
        return None
    result = np.empty(x.shape, x.dtype)
    outer, inner = math.prod(x.shape[:axis]), math.prod(x.shape[axis + 1 :])
    threads = thread_count() if x.size >= _MIN_PARALLEL_ELEMENTS else 1
    args = x, result, outer, x.shape[axis], inner
    kernel(*args, exclusive, reverse, threads)
    return result
