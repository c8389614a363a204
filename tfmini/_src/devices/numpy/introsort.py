"""libstdc++'s std::sort, reproduced because equal elements or NaN make its sequence of steps observable.

It is an introsort (Musser 1997): quicksort with median-of-three pivots down to short ranges, heapsort if the
recursion is too deep, and a final insertion sort.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Precedes = Callable[[int, int], bool]

_MAX_INSERTION_SORT = 16  # maximum elements of an insertion sort


def descending_order(values: np.ndarray) -> np.ndarray:
    """Returns the indices of NaN-free numbers in descending order.

    Example:
      >>> falling(np.array([1.0, 3.0, 1.0]))
      array([1, 0, 2])
    """
    if len(values) <= _MAX_INSERTION_SORT or len(np.unique(values)) == len(values):
        return np.argsort(-values, kind="stable")
    keys, order = values.tolist(), list(range(len(values)))
    introsort(order, lambda a, b: keys[a] > keys[b])
    return np.array(order)


def introsort(items: list[int], precedes: Precedes) -> None:
    """Sorts `items` in place; `precedes(a, b)` need not be an order."""
    _introsort_range(items, 0, len(items), 2 * (len(items).bit_length() - 1), precedes)
    for position in range(1, len(items)):
        first = (
            0 if position < _MAX_INSERTION_SORT and precedes(items[position], items[0]) else None
        )
        _insert(items, position, first, precedes)


def sort_heap(heap: list[int], precedes: Precedes) -> None:
    """Sorts a heap, whose root is last in the order, by repeatedly popping the root."""
    for size in range(len(heap) - 1, 0, -1):
        item, heap[size] = heap[size], heap[0]
        sift(heap, 0, size, item, precedes)


def sift(heap: list[int], root: int, size: int, item: int, precedes: Precedes) -> None:
    """Inserts an item into a heap with a vacant root: moves the vacancy down to a leaf, then sifts the item up."""
    parent, child = root, 2 * root + 1
    while child < size:
        if child + 1 < size and not precedes(heap[child + 1], heap[child]):
            child += 1
        heap[parent] = heap[child]
        parent, child = child, 2 * child + 1
    while parent > root and precedes(heap[(parent - 1) // 2], item):
        heap[parent] = heap[(parent - 1) // 2]
        parent = (parent - 1) // 2
    heap[parent] = item


def _introsort_range(
    items: list[int], first: int, last: int, depth: int, precedes: Precedes
) -> None:
    while last - first > _MAX_INSERTION_SORT:
        if not depth:
            _sort_as_heap(items, first, last, precedes)
            return
        depth -= 1
        _swap_median(items, first, (first + 1, (first + last) // 2, last - 1), precedes)
        pivot_index = _partition(items, first + 1, last, items[first], precedes)
        _introsort_range(items, pivot_index, last, depth, precedes)
        last = pivot_index


def _sort_as_heap(items: list[int], first: int, last: int, precedes: Precedes) -> None:
    heap = items[first:last]
    for root in range(len(heap) // 2 - 1, -1, -1):
        sift(heap, root, len(heap), heap[root], precedes)
    sort_heap(heap, precedes)
    items[first:last] = heap


def _swap_median(
    items: list[int], to: int, three: tuple[int, int, int], precedes: Precedes
) -> None:
    """Swaps the median of three items into a position."""
    a, b, c = three
    if precedes(items[a], items[b]):
        median = b if precedes(items[b], items[c]) else c if precedes(items[a], items[c]) else a
    else:
        median = a if precedes(items[a], items[c]) else c if precedes(items[b], items[c]) else b
    items[to], items[median] = items[median], items[to]


def _partition(items: list[int], first: int, last: int, pivot: int, precedes: Precedes) -> int:
    """Partitions by the pivot and returns the start of the upper part; unlike C++, checks bounds because of NaN."""
    end, start = last, first
    while True:
        while first < end and precedes(items[first], pivot):
            first += 1
        last -= 1
        while last > start and precedes(pivot, items[last]):
            last -= 1
        if first >= last:
            return first
        items[first], items[last] = items[last], items[first]
        first += 1


def _insert(items: list[int], position: int, to: int | None, precedes: Precedes) -> None:
    """Inserts an item at the front (position `to`), or after the last item that it does not precede."""
    item = items[position]
    if to is None:
        to = position
        while to > 0 and precedes(item, items[to - 1]):
            to -= 1
    items[to + 1 : position + 1] = items[to:position]
    items[to] = item
