"""Sorting indices in the order of numpy before 1.25, including the order of equal elements.

Numpy's default sort was introsort: partitions around the median of the first, middle and last element, and insertion
sort for up to 16 elements. The SIMD sorts that replaced it order equal elements differently, which changes the rank of
tied elements. Rows with ties of more than 16,384 elements, and subclasses of `ndarray`, are sorted stably.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_MAX_TIES = 16384  # Python partitions about a million elements per second
_MAX_INSERTION_SORT = 16
_DTYPE_KINDS = "biufSU"


def sorting_indices(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Calls `function`, `np.argsort` or the array method, and restores the old order of equal elements."""
    is_function = function is np.argsort
    if "kind" in kwargs or len(args) > 1 + is_function:
        return function(*args, **kwargs)
    order = function(*args, kind="stable", **kwargs)
    values = kwargs.get("a", args[0] if args else None) if is_function else function.__self__  # type: ignore[attr-defined]
    values = np.asarray(values) if isinstance(values, (list, tuple)) else values
    if type(values) is not np.ndarray or values.dtype.kind not in _DTYPE_KINDS:
        return order
    axis = kwargs.get("axis", args[is_function] if len(args) > is_function else -1)
    return order if values.ndim == 0 else _resort_ties(values, order, axis)


def _resort_ties(values: np.ndarray, order: np.ndarray, axis: int | None) -> np.ndarray:
    """Sorts again, using introsort, each row that has equal elements and is too long for insertion sort alone."""
    if axis is None:
        values, axis = values.ravel(), 0
    if values.shape[axis] <= _MAX_INSERTION_SORT:
        return order
    if values.ndim == 1:
        ordered = values[order]
    else:
        ordered = np.moveaxis(np.take_along_axis(values, order, axis), axis, -1)
    equal = ordered[..., 1:] == ordered[..., :-1]
    if values.dtype.kind == "f":
        equal |= np.isnan(ordered[..., :-1])
    ties = equal.any(-1)
    if not 0 < np.count_nonzero(ties) * values.shape[axis] <= _MAX_TIES:
        return order
    rows = np.moveaxis(order, axis, -1)
    for row in map(tuple, np.argwhere(ties)):
        ranks = np.zeros(values.shape[axis], np.int64)
        ranks[rows[row][1:]] = np.cumsum(~equal[row])
        rows[row] = _introsort(ranks.tolist(), rows[row].tolist())
    return order


def _introsort(ranks: list[int], stable: list[int]) -> list[int]:
    """Returns the sorting indices of `ranks`; stable if the number of partitions would have triggered a heapsort."""
    indices = list(range(len(ranks)))
    partitions = [(0, len(ranks) - 1, 2 * (len(ranks).bit_length() - 1))]
    while partitions:
        first, last, depth = partitions.pop()
        while last - first >= _MAX_INSERTION_SORT:
            if depth < 0:
                return stable
            depth -= 1
            pivot_index = _partition(ranks, indices, first, last)
            partitions.append((pivot_index + 1, last, depth))
            last = pivot_index - 1
        indices[first : last + 1] = sorted(indices[first : last + 1], key=ranks.__getitem__)
    return indices


def _partition(ranks: list[int], indices: list[int], first: int, last: int) -> int:
    """Partitions elements around the pivot; returns the pivot's position."""
    middle = first + (last - first) // 2
    for low, high in ((first, middle), (middle, last), (first, middle)):
        if ranks[indices[high]] < ranks[indices[low]]:
            indices[low], indices[high] = indices[high], indices[low]
    pivot = ranks[indices[middle]]
    low, high = first, last - 1
    indices[middle], indices[high] = indices[high], indices[middle]
    while True:
        low += 1
        while ranks[indices[low]] < pivot:
            low += 1
        high -= 1
        while pivot < ranks[indices[high]]:
            high -= 1
        if low >= high:
            indices[low], indices[last - 1] = indices[last - 1], indices[low]
            return low
        indices[low], indices[high] = indices[high], indices[low]
