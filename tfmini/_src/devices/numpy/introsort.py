"""Sorting as in GNU's C++ library, whose order of equal elements is visible to programs.

Musser, Introspective sorting and selection algorithms (1997): parts are divided at the median of three until they have
16 elements or fewer; insertion sort, which is stable, then sorts these.
"""

from __future__ import annotations

import numpy as np

_MAX_INSERTION_SORT = 16


def falling(values: np.ndarray) -> np.ndarray:
    """The indices of NaN-free numbers in descending order.

    Example:
      >>> falling(np.array([1.0, 3.0, 1.0]))
      array([1, 0, 2])
    """
    if len(values) <= _MAX_INSERTION_SORT or len(np.unique(values)) == len(values):
        return np.argsort(-values, kind="stable")
    keys, order = values.tolist(), list(range(len(values)))
    parts = [(0, len(keys), 2 * (len(keys).bit_length() - 1))]
    while parts:
        first, last, depth = parts.pop()
        while last - first > _MAX_INSERTION_SORT and depth > 0:
            depth -= 1
            cut = _partition(keys, order, first, last)
            parts.append((cut, last, depth))
            last = cut
    return np.array(order)[np.argsort(-np.array(keys), kind="stable")]


def _partition(keys: list[float], order: list[int], first: int, last: int) -> int:
    """Moves the elements above the median of three to the front; returns the start of the smaller ones."""

    def swap(a: int, b: int) -> None:
        keys[a], keys[b] = keys[b], keys[a]
        order[a], order[b] = order[b], order[a]

    swap(first, _median(keys, first + 1, first + (last - first) // 2, last - 1))
    median = keys[first]
    low, high = first + 1, last
    while True:
        while keys[low] > median:
            low += 1
        high -= 1
        while median > keys[high]:
            high -= 1
        if low >= high:
            return low
        swap(low, high)
        low += 1


def _median(keys: list[float], a: int, b: int, c: int) -> int:
    if keys[a] > keys[b]:
        if keys[b] > keys[c]:
            return b
        return c if keys[a] > keys[c] else a
    if keys[a] > keys[c]:
        return a
    return c if keys[b] > keys[c] else b
