"""Histograms with TensorFlow's buckets."""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.base.records import dataclass

_MIN_TABLE_VALUES = 64  # values: with fewer, searching costs less than the table
_SHIFT = 46  # bits of a double outside its key, which retains six bits of the fraction


@dataclass(frozen=True)
class Histogram:
    """The fields of a HistogramProto; adjacent empty buckets are merged."""

    smallest: float
    largest: float
    count: int
    total: float
    total_of_squares: float
    limits: np.ndarray
    counts: np.ndarray


@functools.cache
def bucket_limits() -> np.ndarray:
    """Returns the upper limits of TensorFlow's buckets, ascending and symmetric around 0.

    Positive limits are 1e-12 multiplied repeatedly by 1.1, up to 1e20, then the largest double.
    """
    limits = []
    limit = 1e-12
    while limit < 1e20:
        limits.append(limit)
        limit *= 1.1
    limits.append(sys.float_info.max)
    return np.array([-limit for limit in reversed(limits)] + [0.0] + limits)


@functools.cache
def _bucket_lookup_tables() -> tuple[np.ndarray, np.ndarray]:
    """Returns lookup tables by the leading bits of a double: the bucket of the smallest such number, and its limit.

    Numbers with the same key belong to that bucket or the next, because a bucket is wider than the range of a key.
    """
    keys = np.arange(1 << (64 - _SHIFT), dtype=np.uint64)
    negative = keys >= 1 << (63 - _SHIFT)
    smallest = (keys << np.uint64(_SHIFT)).view(np.float64).copy()
    last = ((keys << np.uint64(_SHIFT)) | np.uint64((1 << _SHIFT) - 1)).view(np.float64)
    smallest[negative] = last[negative]
    smallest[~np.isfinite(smallest)] = 0.0
    limits = bucket_limits()
    buckets = np.searchsorted(limits, smallest, side="right").clip(max=limits.size - 1)
    upper_limits = limits[buckets]
    upper_limits[buckets == limits.size - 1] = np.inf
    return buckets, upper_limits


def _buckets(values: np.ndarray) -> np.ndarray:
    if values.size < _MIN_TABLE_VALUES:
        limits = bucket_limits()
        return np.searchsorted(limits, values, side="right").clip(max=limits.size - 1)
    first, upper_limits = _bucket_lookup_tables()
    keys = (values.view(np.uint64) >> np.uint64(_SHIFT)).view(np.int64)
    buckets = first.take(keys)
    buckets += values >= upper_limits.take(keys)
    return buckets


def compute_histogram(values: Any, name: str) -> Histogram:
    """Computes the histogram of the numbers in an array of any shape."""
    array = np.asarray(values, np.float64).ravel()
    if not array.size:
        smallest, largest = sys.float_info.max, -sys.float_info.max
        return Histogram(smallest, largest, 0, 0.0, 0.0, bucket_limits()[-1:], np.zeros(1))
    smallest, largest = float(array.min()), float(array.max())
    if not (smallest > -np.inf and largest < np.inf):
        first = array[~np.isfinite(array)][0]
        problem = "Nan" if np.isnan(first) else "Infinity"
        invalid(f"{problem} in summary histogram for: {name}")
    limits = bucket_limits()
    counts = np.bincount(_buckets(array), minlength=limits.size)
    # Of adjacent empty buckets the last remains.
    is_kept = counts > 0
    is_kept[:-1] |= is_kept[1:]
    is_kept[-1] = True
    with np.errstate(over="ignore"):  # sequential sums, as in TensorFlow
        total = float(array.cumsum()[-1])
        squares = float(np.square(array).cumsum()[-1])
    # Zeros are unsigned, as in TensorFlow's messages.
    return Histogram(
        smallest + 0.0,
        largest + 0.0,
        array.size,
        total + 0.0,
        squares,
        limits[is_kept],
        counts[is_kept].astype(np.float64),
    )
