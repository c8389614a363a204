"""The permutation of a shuffle."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import address, function


def shuffled(words: np.ndarray) -> np.ndarray | None:
    """The int64 [size] permutation of a Fisher-Yates shuffle by uint32 [size - 1] words; None if numpy must compute
    it.
    """
    kernel = function("shuffled")
    if kernel is None or len(words) >= (1 << 32) - 1:
        return None
    words = np.ascontiguousarray(words)
    order = np.empty(len(words) + 1, np.int64)
    kernel(address(words), address(order), len(order))
    return order
