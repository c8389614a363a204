"""The permutation of a shuffle."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import address, function


def shuffle_permutation(words: np.ndarray) -> np.ndarray | None:
    """Returns the Fisher-Yates permutation of uint32 [size - 1] words, int64 [size]; None if NumPy must compute it."""
    kernel = function("shuffled")
    if kernel is None or len(words) >= (1 << 32) - 1:
        return None
    words = np.ascontiguousarray(words)
    order = np.empty(len(words) + 1, np.int64)
    kernel(address(words), address(order), len(order))
    return order
