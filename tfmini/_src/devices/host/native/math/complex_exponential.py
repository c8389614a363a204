"""Exponentials of complex numbers."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import address, function, is_contiguous
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_ELEMENTS = 1 << 12


def exponential(x: np.ndarray) -> np.ndarray:
    """Returns `np.exp(x)`, computed natively for complex64."""
    kernel = function("exponentials_c64")
    if kernel is None or x.dtype != np.complex64 or not is_contiguous(x):
        return np.exp(x)
    result = np.empty(x.shape, x.dtype)
    kernel(
        address(x),
        address(result),
        x.size,
        thread_count() if x.size >= _MIN_PARALLEL_ELEMENTS else 1,
    )
    return result
