"""Metrics of a process: counters, gauges and samplers, with a cell for each tuple of labels.

Libraries declare them at import; nothing exports the values.
"""

from __future__ import annotations

import sys
import weakref
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from tfmini._src.base import proto
from tfmini._src.base.errors import AlreadyExistsError

T = TypeVar("T")
_metrics: weakref.WeakValueDictionary[str, Metric[Any]] = weakref.WeakValueDictionary()
_MAX_LABELS = 2


class Metric(Generic[T]):
    """A named metric.

    Raises:
      AlreadyExistsError: if another metric has the name.
      ValueError: for more than two labels.
    """

    def __init__(self, name: str, new_cell: Callable[[], T], labels: tuple[str, ...]):
        if len(labels) > _MAX_LABELS:
            raise ValueError(
                f"Cannot create {type(self).__name__} metric with label >= {_MAX_LABELS + 1}"
            )
        if name in _metrics:
            raise AlreadyExistsError(
                None, None, "Another metric with the same name already exists."
            )
        _metrics[name] = self
        self._labels, self._new_cell = labels, new_cell
        self._cells: dict[tuple[str, ...], T] = {}

    def get_cell(self, *labels: str) -> T:
        """Returns the cell for the labels; raises ValueError for another number of labels."""
        if len(labels) != len(self._labels):
            raise ValueError(f"The {type(self).__name__} expects taking {len(self._labels)} labels")
        return self._cells.setdefault(labels, self._new_cell())


class CounterCell:
    """A cumulative integer."""

    def __init__(self) -> None:
        self._value = 0

    def increase_by(self, value: int) -> None:
        """Adds `value`."""
        self._value += value

    def value(self) -> int:
        """Returns the sum."""
        return self._value


class GaugeCell(Generic[T]):
    """The last value set."""

    def __init__(self, value: T):
        self._value = value

    def set(self, value: T) -> None:
        """Replaces the value; raises TypeError for another type."""
        if type(value) is not type(self._value):
            raise TypeError(f"expected {type(self._value).__name__}, got {value!r}")
        self._value = value

    def value(self) -> T:
        """Returns the value: 0, "" or False before the first `set`."""
        return self._value


class SamplerCell:
    """A histogram with fixed bucket limits."""

    def __init__(self, limits: list[float]):
        self._histogram = proto.HistogramProto(
            min=sys.float_info.max, max=-sys.float_info.max, bucket_limit=limits
        )
        self._histogram.bucket.extend([0.0] * len(limits))

    def add(self, value: float) -> None:
        """Adds a sample to the first bucket whose limit is above it."""
        histogram = self._histogram
        histogram.min, histogram.max = min(histogram.min, value), max(histogram.max, value)
        histogram.num += 1
        histogram.sum += value
        histogram.sum_squares += value * value
        histogram.bucket[
            bisect_right(histogram.bucket_limit, value, hi=len(histogram.bucket) - 1)
        ] += 1

    def value(self) -> proto.HistogramProto:
        """Returns a copy of the histogram."""
        return proto.HistogramProto.FromString(self._histogram.SerializeToString())


class Counter(Metric[CounterCell]):
    """A cumulative integer for each tuple of labels: `Counter("/app/steps", "Steps run.", "model")`."""

    def __init__(self, name: str, description: str, *labels: str):
        super().__init__(name, CounterCell, labels)


class IntGauge(Metric[GaugeCell[int]]):
    """An integer for each tuple of labels."""

    def __init__(self, name: str, description: str, *labels: str):
        super().__init__(name, lambda: GaugeCell(0), labels)


class StringGauge(Metric[GaugeCell[str]]):
    """A text for each tuple of labels."""

    def __init__(self, name: str, description: str, *labels: str):
        super().__init__(name, lambda: GaugeCell(""), labels)


class BoolGauge(Metric[GaugeCell[bool]]):
    """A bool for each tuple of labels."""

    def __init__(self, name: str, description: str, *labels: str):
        super().__init__(name, lambda: GaugeCell(False), labels)


class ExponentialBuckets:
    """Bucket limits `scale * growth_factor**i` for i below `bucket_count`, and the largest float."""

    def __init__(self, scale: float, growth_factor: float, bucket_count: int):
        self.limits = [scale * growth_factor**i for i in range(bucket_count)]
        self.limits.append(sys.float_info.max)


class Sampler(Metric[SamplerCell]):
    """A histogram for each tuple of labels."""

    def __init__(self, name: str, buckets: ExponentialBuckets, description: str, *labels: str):
        super().__init__(name, lambda: SamplerCell(buckets.limits), labels)
