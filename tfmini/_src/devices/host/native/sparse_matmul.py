"""Products of a sparse and a dense matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.library import (
    FLOATS,
    SUFFIXES,
    address,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_PRODUCTS = 1 << 16


def sparse_times(
    indices: Array, values: Array, dense: Any, height: int, is_transposed: bool
) -> np.ndarray | None:
    """Returns a sparse matrix times `dense` [inner, width], accumulated in element order: [height, width].

    Returns None if NumPy must compute it, or an element is out of range.

    Args:
      indices: int64 [elements, 2], the row and column of each element; column and row if `is_transposed`.
      values: [elements].
    """
    if dense.dtype not in FLOATS or values.dtype != dense.dtype or not dense.size:
        return None
    if indices.dtype != np.int64 or indices.shape != (len(values), 2) or values.ndim != 1:
        return None
    if dense.ndim != 2 or not all(map(is_contiguous, (indices, values, dense))):
        return None
    kernel = function(f"sparse_times_{SUFFIXES[dense.dtype]}")
    if kernel is None:
        return None
    result = np.empty((height, dense.shape[1]), dense.dtype)
    sizes = len(values), int(is_transposed), height, *dense.shape
    threads = thread_count() if len(values) * dense.shape[1] >= _MIN_PARALLEL_PRODUCTS else 1
    in_range = kernel(*map(address, (indices, values, dense, result)), *sizes, threads)
    return result if in_range else None
