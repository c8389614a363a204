"""Feature crosses: fingerprints of all combinations of an example's values."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tfmini._src.devices.host.native.library import addresses, function, is_contiguous


def row_starts(points: np.ndarray, count: int) -> np.ndarray | None:
    """Returns int64 [count + 1]: where each row starts in sorted int64 points [size, 2]; None if left to NumPy."""
    kernel = function("row_starts")
    if kernel is None or points.dtype != np.int64 or not is_contiguous(points):
        return None
    if points.ndim != 2 or points.shape[1] != 2 or count < 0:
        return None
    starts = np.empty(count + 1, np.int64)
    return starts if kernel(points, len(points), count, starts) else None


Crossed = tuple[np.ndarray, np.ndarray, np.ndarray]


def cross_features(
    features: Sequence[np.ndarray], starts: Sequence[np.ndarray], key: int, buckets: int
) -> Crossed | None:
    """Returns indices, values and shape of a sparse tensor of combined fingerprints; None if NumPy must combine them.

    Args:
      features: uint64 fingerprints of the values of each column.
      starts: int64 [examples + 1] for each column, the index of the first value of each example.
      key: the first fingerprint.
      buckets: the divisor of results.
    """
    cross = make_cross(starts, [feature.size for feature in features], key, buckets)
    return None if cross is None else cross(features)


def make_cross(
    starts: Sequence[np.ndarray], sizes: Sequence[int], key: int, buckets: int
) -> Callable[[Sequence[np.ndarray]], Crossed | None] | None:
    """Returns `cross_features` for columns of `sizes` values with these starts; None if NumPy must combine them."""
    count_kernel, cross_kernel = function("count_crosses"), function("cross_columns")
    if count_kernel is None or cross_kernel is None or not sizes:
        return None
    columns, all_starts = len(sizes), np.array(starts, np.int64)
    count = all_starts.shape[1] - 1
    if count < 0:
        return None
    total = count_kernel(all_starts, np.array(sizes, np.int64), columns, count)
    if total < 0:
        return None

    def cross(features: Sequence[np.ndarray]) -> Crossed | None:
        for feature, size in zip(features, sizes):
            if feature.dtype != np.uint64 or feature.size != size or not is_contiguous(feature):
                return None
        points, values = np.empty((total, 2), np.int64), np.empty(total, np.int64)
        args = np.array(addresses(features), np.uint64), all_starts, columns, count, key, buckets
        largest = cross_kernel(*args, total, points, values)
        return points, values, np.array([count, largest], np.int64)

    return cross
