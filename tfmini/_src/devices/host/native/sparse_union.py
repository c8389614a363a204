"""The union of the indices of two sparse tensors."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.library import address, function, is_contiguous


def unite_indices(a: Array, b: Array) -> tuple[Array, Array, Array] | None:
    """Merges the rows of two int64 matrices in row-major order; also returns the index of each merged row in `a` and in
    `b`, or -1.

    Returns None if NumPy must merge them.
    """
    kernel = function("unite_indices")
    if kernel is None or a.shape[1] != b.shape[1]:
        return None
    if any(array.dtype != np.int64 or not is_contiguous(array) for array in (a, b)):
        return None
    max_count, rank = len(a) + len(b), a.shape[1]
    result, rows = np.empty((max_count, rank), np.int64), np.empty((2, max_count), np.int64)
    addresses = (address(result), address(rows[0]), address(rows[1]))
    count = kernel(address(a), len(a), address(b), len(b), rank, *addresses)
    return result[:count], *rows[:, :count]
