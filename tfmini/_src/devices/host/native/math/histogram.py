"""Histograms with bins of equal width."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import (
    FLOATS,
    SUFFIXES,
    address,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_ELEMENTS = 1 << 15


def histogram(values: np.ndarray, low: float, width: float, bins: int) -> np.ndarray | None:
    """Returns the number of values in each bin, starting at `low`; None for NaN, or if NumPy must count."""
    if values.dtype not in FLOATS or not is_contiguous(values):
        return None
    kernel = function(f"histogram_{SUFFIXES[values.dtype]}")
    if kernel is None:
        return None
    threads = thread_count() if values.size >= max(_MIN_PARALLEL_ELEMENTS, bins) else 1
    counts = np.zeros((threads, bins), np.int64)
    numbered = kernel(address(values), values.size, low, width, bins, address(counts), threads)
    return counts.sum(0) if numbered else None
