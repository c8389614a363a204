"""Locates integer keys in the buckets of a dense hash table."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import address, function


def is_available() -> bool:
    """Whether the native library provides these functions."""
    return function("put_in_buckets") is not None


def find_buckets(elements: np.ndarray, buckets: np.ndarray, empty: int) -> np.ndarray:
    """Returns the bucket of each int64 key, -1 if it is missing."""
    elements, result = np.ascontiguousarray(elements), np.empty(elements.shape, np.int64)
    kernel = function("find_in_buckets")
    assert kernel is not None
    args = address(elements), elements.size, address(result)
    kernel(*args, address(buckets), buckets.size - 1, empty)
    return result


def claim_buckets(
    elements: np.ndarray, buckets: np.ndarray, empty: int, deleted: int
) -> tuple[np.ndarray, int]:
    """Assigns int64 keys to their buckets or to free ones; returns the buckets and the number of new keys."""
    elements, result = np.ascontiguousarray(elements), np.empty(elements.shape, np.int64)
    kernel = function("put_in_buckets")
    assert kernel is not None
    args = address(elements), elements.size, address(result)
    added_count = kernel(*args, address(buckets), buckets.size - 1, empty, deleted)
    return result, added_count
