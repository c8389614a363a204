"""Softmax, log softmax and cross entropies, computed in one pass over memory per row."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.library import (
    FLOATS,
    IDS,
    SUFFIXES,
    function,
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_ELEMENTS = 1 << 17
_MAX_ALLOCATED_ELEMENTS = 1 << 12  # for so few elements, allocating is cheaper


def _kernel_for_rows(name: str, rows: Array) -> Any:
    """Returns the kernel for a contiguous matrix of floats; None if NumPy must compute."""
    return _kernel_for_dtype(name, rows.dtype) if rows.size and is_contiguous(rows) else None


@cache
def _kernel_for_dtype(name: str, dtype: np.dtype) -> Any:
    return function(f"{name}_{SUFFIXES[dtype]}") if dtype in FLOATS else None


def _threads(rows: np.ndarray) -> int:
    return thread_count() if rows.size >= _MIN_PARALLEL_ELEMENTS else 1


def softmax(rows: np.ndarray, out: np.ndarray, logarithm: bool) -> bool:
    """Writes the softmax of a matrix's rows, or its logarithm, to `out`, which may be `rows`; False if unsupported."""
    kernel = _kernel_for_rows("log_softmax" if logarithm else "softmax", rows)
    if kernel is None or not is_contiguous(out) or out.dtype != rows.dtype:
        return False
    count, columns = rows.shape
    kernel(rows, out, count, columns, _threads(rows))
    return True


def softmax_of_shape(
    dtype: np.dtype, shape: tuple[int, ...], logarithm: bool
) -> Callable[[np.ndarray], np.ndarray | None] | None:
    """Returns `softmax` specialized to a few rows of this shape; the result is None for non-contiguous arrays."""
    kernel = _kernel_for_dtype("log_softmax" if logarithm else "softmax", dtype)
    size = math.prod(shape)
    if kernel is None or not 0 < size < _MAX_ALLOCATED_ELEMENTS:
        return None
    columns = shape[-1]
    rows = size // columns

    def compute(logits: np.ndarray) -> np.ndarray | None:
        if logits.shape != shape or not is_contiguous(logits):
            return None
        result = np.empty(shape, dtype)
        kernel(logits, result, rows, columns, 1)
        return result

    return compute


def cross_entropy(logits: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Returns the losses [rows] and their gradients with respect to the logits [rows, classes]; None if NumPy must
    compute them.

    Labels are probabilities with the shape and dtype of the logits, or the classes of the rows, int32 or int64; an
    invalid class results in a NaN loss.
    """
    if labels.dtype in IDS:
        name = f"sparse_cross_entropy_{SUFFIXES[labels.dtype]}"
        suits = labels.shape == logits.shape[:1]
    else:
        name = "cross_entropy"
        suits = labels.shape == logits.shape and labels.dtype == logits.dtype
    kernel = _kernel_for_rows(name, logits)
    if kernel is None or not suits or not is_contiguous(labels):
        return None
    loss, gradient = np.empty(len(logits), logits.dtype), np.empty_like(logits)
    arrays = logits, labels, loss, gradient
    count, columns = logits.shape
    kernel(*arrays, count, columns, _threads(logits))
    return loss, gradient
