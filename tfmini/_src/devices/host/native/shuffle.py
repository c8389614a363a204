"""The permutation used by a shuffle."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import address, function


def shuffle_permutation(words: np.ndarray) -> np.ndarray | None:
    """Returns the Fisher-Yates permutation, int64 [size], for uint32 words [size - 1]; None if left to NumPy."""
    kernel = function("shuffled")
    if kernel is None or len(words) >= (1 << 32) - 1:
        return None
    words = np.ascontiguousarray(words)
    order = np.empty(len(words) + 1, np.int64)
    kernel(address(words), address(order), len(order))
    return order
