"""The k largest elements in TensorFlow's heap order, the result of `top_k(sorted=False)`.

The root of the heap is the smallest retained element. A larger element replaces it: the hole moves down the path of
worse children to a leaf, then the element is sifted up, as in pop_heap of libstdc++.
"""

from __future__ import annotations

import itertools

import numpy as np

from tfmini._src.devices.numpy.introsort import introsort, sort_heap

_FIRST_BATCH = 64  # number of elements compared in the first batch; doubled each time


def largest_in_heap(row: np.ndarray, k: int) -> list[int]:
    """Returns the indices of the k largest elements of a vector with more than k elements, in heap order."""
    heap = _Heap(row[: k + 1].tolist())
    values, positions = heap.values, heap.positions
    start, length = k + 1, _FIRST_BATCH
    while start < len(row):
        part = row[start : start + length]
        # Equal elements rank lower: they come later.
        candidates = np.flatnonzero(part > row[positions[0]])
        for position, value in zip((candidates + start).tolist(), part[candidates].tolist()):
            if value > values[0]:
                heap.replace(value, position)
        start += length
        length *= 2
    return positions


def largest_with_nan(row: np.ndarray, k: int) -> list[int]:
    """Returns the indices of the k largest elements of a vector with NaN, following TensorFlow step by step.

    NaN is neither larger nor smaller than a number, so it remains where it is encountered.
    """
    if k == 1:
        largest = np.where(np.isnan(row), -np.inf, row).max()
        return [int((row == largest).argmax())]
    values = row.tolist()
    if k < len(row):
        positions = largest_in_heap(row, k)
        sort_heap(positions, lambda a, b: _ranks_higher(values[a], a, values[b], b))
        return positions
    positions = list(range(k))
    introsort(positions, lambda a, b: values[a] > values[b])
    runs = itertools.groupby(positions, lambda position: values[position])
    return [position for _, run in runs for position in sorted(run)]


class _Heap:
    """The best elements except one, with the worst at the root; of equal elements, the first one ranks higher."""

    def __init__(self, elements: list):
        self.values = elements
        self.positions = list(range(len(elements)))
        for root in range(len(elements) // 2 - 1, -1, -1):
            self._sift(root, elements[root], self.positions[root])
        self.replace(self.values.pop(), self.positions.pop())

    def replace(self, value: float, position: int) -> None:
        """Replaces the worst element."""
        self._sift(0, value, position)

    def _sift(self, root: int, value: float, position: int) -> None:
        values, positions, size = self.values, self.positions, len(self.values)
        hole, child = root, 2 * root + 1
        while child < size:
            other = child + 1
            if other < size and not _ranks_higher(
                values[other], positions[other], values[child], positions[child]
            ):
                child = other
            values[hole], positions[hole] = values[child], positions[child]
            hole, child = child, 2 * child + 1
        while hole > root:
            parent = (hole - 1) // 2
            if not _ranks_higher(values[parent], positions[parent], value, position):
                break
            values[hole], positions[hole] = values[parent], positions[parent]
            hole = parent
        values[hole], positions[hole] = value, position


def _ranks_higher(value: float, position: int, other: float, other_position: int) -> bool:
    return value > other or (not value < other and position < other_position)
