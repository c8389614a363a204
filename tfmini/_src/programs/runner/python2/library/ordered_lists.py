"""`heapq` and `bisect`, with support for items of different types."""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tfmini._src.programs.runner.python2 import comparisons


def _heapify(heap: list[Any]) -> None:
    try:
        heapq.heapify(heap)
    except TypeError:
        comparisons.sort(heap)  # a sorted list is a heap


def _heappush(heap: list[Any], item: Any) -> None:
    try:
        heapq.heappush(heap, item)
    except TypeError:  # the list has the item, at the wrong position
        comparisons.sort(heap)


def _smallest(function: Callable) -> Callable:
    """Makes `heappop` or `heapreplace`, which return the first item, accept items of different types."""

    def call(heap: list[Any], *item: Any) -> Any:
        first = heap[:1]
        try:
            return function(heap, *item)
        except TypeError:  # the list has lost its first item
            comparisons.sort(heap)
        return first[0]

    return call


_heapreplace = _smallest(heapq.heapreplace)


def _heappushpop(heap: list[Any], item: Any) -> Any:
    return _heapreplace(heap, item) if heap and comparisons.less(heap[0], item) else item


def _nsmallest(n: int, iterable: Iterable[Any], key: Any = None) -> list[Any]:
    return comparisons.sorted_(iterable, key=key)[: max(n, 0)]


def _nlargest(n: int, iterable: Iterable[Any], key: Any = None) -> list[Any]:
    return comparisons.sorted_(iterable, key=key, reverse=True)[: max(n, 0)]


def _with_python2_order(function: Callable) -> Callable:
    def call(a: Any, x: Any, *limits: Any, **kwargs: Any) -> Any:
        try:
            return function(a, x, *limits, **kwargs)
        except TypeError:
            order = comparisons.by_order
        value = x if function in (bisect.insort_left, bisect.insort_right) else order(x)
        return function(a, value, *limits, **kwargs, key=order)

    return call


MODULES: dict[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "bisect": (
        ("bisect",),
        {
            name: _with_python2_order(getattr(bisect, name))
            for name in (
                *("bisect", "bisect_left", "bisect_right"),
                *("insort", "insort_left", "insort_right"),
            )
        },
    ),
    "heapq": (
        ("heapq",),
        {
            "heapify": _heapify,
            "heappop": _smallest(heapq.heappop),
            "heappush": _heappush,
            "heappushpop": _heappushpop,
            "heapreplace": _heapreplace,
            "nlargest": _nlargest,
            "nsmallest": _nsmallest,
        },
    ),
}
