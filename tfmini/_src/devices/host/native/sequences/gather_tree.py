"""Sequences of a beam search, traced backwards from the last step."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import function, is_contiguous


def gather_tree(
    ids: np.ndarray, parents: np.ndarray, lengths: np.ndarray, end: int
) -> np.ndarray | None:
    """Returns sequences [time, batch, width] of int32 ids and parents; None if left to NumPy or a parent is invalid."""
    kernel = function("gather_tree")
    if kernel is None or ids.shape != parents.shape or lengths.shape != ids.shape[1:2]:
        return None
    for array in (ids, parents, lengths):
        if array.dtype != np.int32 or not is_contiguous(array):
            return None
    result = np.empty(ids.shape, np.int32)
    return result if kernel(ids, parents, lengths, *ids.shape, end, result) else None
