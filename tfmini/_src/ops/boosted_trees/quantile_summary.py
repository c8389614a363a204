"""Approximate quantiles of a stream of weighted values (Zhang and Wang, 2007; Chen and Guestrin, 2016).

A summary is a float32 matrix [entries, 4] of distinct ascending values: value, weight, and bounds of the rank, that is
the total weight of smaller values, and with the value itself.
"""

from __future__ import annotations

import bisect
import math
from typing import Any

import numpy as np

EMPTY = np.zeros((0, 4), np.float32)


def block_size(epsilon: float, max_elements: int) -> int:
    """Returns the entries of a level of a stream whose error is at most `epsilon`."""
    level, size = 1, 2
    if epsilon <= np.finfo(float).eps:
        return max(max_elements, 2)
    while (size << level) < max_elements:
        size = math.ceil(level / epsilon) + 1
        level += 1
    return max(size, 2)


def summarize(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns the exact summary of the values with positive weights."""
    is_used = weights > 0
    values, weights = values[is_used], weights[is_used]
    order = np.argsort(values, kind="stable")
    values, weights = values[order], weights[order]
    if not values.size:
        return EMPTY
    starts = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
    merged = np.add.reduceat(weights, starts)
    ends = merged.cumsum()
    return np.stack([values[starts], merged, np.append(np.float32(0), ends[:-1]), ends], 1)


def merge(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Returns the summary of the values of two summaries."""
    if not len(first) or not len(second):
        return first if len(first) else second
    is_shared, rows = _offset(first, second)
    is_repeated, other_rows = _offset(second, first)
    rows = np.concatenate([rows, other_rows[~is_repeated]])
    return rows[np.argsort(rows[:, 0], kind="stable")]


def _offset(entries: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns which entries have a value of the others, and the entries with ranks in the union."""
    positions = np.searchsorted(others[:, 0], entries[:, 0])
    padded = np.append(others, others[-1:], 0)
    is_shared = padded[positions, 0] == entries[:, 0]
    is_shared &= positions < len(others)
    next_min = np.append(np.float32(0), others[:, 2] + others[:, 1])
    previous_max = np.append(others[:, 3] - others[:, 1], others[-1, 3])
    rows = entries.copy()
    rows[:, 2] += np.where(is_shared, padded[positions, 2], next_min[positions])
    rows[:, 3] += np.where(is_shared, padded[positions, 3], previous_max[positions])
    rows[is_shared, 1] += padded[positions[is_shared], 1]
    return is_shared, rows


def compress(summary: np.ndarray, size: int, epsilon: float) -> np.ndarray:
    """Returns about `size` entries, which raise the error by at most the larger of `epsilon` and 1 / `size`."""
    size, count = max(size, 2), len(summary)
    if count <= size:
        return summary
    _, weights, min_ranks, max_ranks = summary.T
    bound = float(max_ranks[-1]) * max(1.0 / size, epsilon)
    previous_max, next_min = (max_ranks - weights).tolist(), (min_ranks + weights).tolist()
    kept, accumulated, read = [], 0, 0
    while read + 1 < count:
        # The entries after `read` within the bound, of which as many are skipped as the accumulator allows.
        limit = bisect.bisect_right(previous_max, next_min[read] + bound, read + 1)
        while limit < count and _single(previous_max[limit] - next_min[read]) <= bound:
            limit += 1
        while limit > read + 1 and _single(previous_max[limit - 1] - next_min[read]) > bound:
            limit -= 1
        allowed = max(0, -((accumulated - count) // size))
        skipped = min(limit - read - 1, allowed)
        accumulated += skipped * size - count
        read += skipped or 1
        kept.append(read)
    if kept[-1] + 1 != count:
        kept.append(count - 1)
    return summary[[0, *kept]]


def _single(value: float) -> float:
    """Rounds a number to single precision."""
    return float(np.float32(value))


def boundaries(summary: np.ndarray, count: int) -> np.ndarray:
    """Returns at least `count` values, if there are as many, that divide the total weight about evenly."""
    if not len(summary):
        return summary[:, 0]
    _, weights, min_ranks, max_ranks = summary.T
    gaps = (max_ranks - weights)[1:] - (min_ranks + weights)[:-1]
    own = (max_ranks - min_ranks - weights)[1:]
    error = float(max(gaps.max(initial=0), own.max(initial=0))) / float(max_ranks[-1])
    values = compress(summary, count, _single(error + 1.0 / count))[:, 0]
    return values[np.append(True, values[1:] != values[:-1])]


def quantiles(summary: np.ndarray, count: int) -> np.ndarray:
    """Returns `count` values: the smallest, the largest, and the quantiles in between."""
    steps = max(count - 1, 2)
    _, weights, min_ranks, max_ranks = summary.T
    targets = np.arange(steps + 1, dtype=np.float32) * max_ranks[-1] / np.float32(steps) * 2
    after = np.searchsorted((min_ranks + max_ranks)[1:], targets, "right") + 1
    padded = np.append(max_ranks - weights, np.float32(np.inf))
    chosen = after - (targets < (min_ranks + weights)[after - 1] + padded[after])
    return summary[chosen, 0]


class QuantileStream:
    """Summaries of a stream, in levels that each describe twice as many values as the one before."""

    def __init__(self, epsilon: float, max_elements: int):
        self._epsilon = epsilon
        self._block = block_size(epsilon, max_elements)
        self._levels: list[np.ndarray] = []
        self._buffer_size = min(2 * self._block, max_elements)

    def add(self, values: np.ndarray, weights: np.ndarray) -> None:
        """Adds the values of a batch."""
        is_used = weights > 0
        values, weights = values[is_used], weights[is_used]
        for start in range(0, len(values), self._buffer_size):
            end = start + self._buffer_size
            self.add_summary(summarize(values[start:end], weights[start:end]))

    def add_summary(self, summary: np.ndarray) -> None:
        """Adds the values of a summary."""
        summary = compress(summary, self._block, self._epsilon)
        if not len(summary):
            return
        for index, level in enumerate(self._levels):
            summary = merge(summary, level)
            if not len(level) or len(summary) <= self._block + 1:
                self._levels[index] = summary
                return
            summary = compress(summary, self._block, self._epsilon)
            self._levels[index] = EMPTY
        self._levels.append(summary)

    def finish(self) -> Any:
        """Returns the summary of the whole stream."""
        result = EMPTY
        for level in self._levels:
            result = merge(result, level)
        return result
