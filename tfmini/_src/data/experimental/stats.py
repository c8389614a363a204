"""Transformations that report statistics of each element to an aggregator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.unary_datasets import UnaryUnchangedStructureDataset
from tfmini._src.ops import ops, raw


def bytes_produced_stats(tag: str) -> Callable[[DatasetV2], Any]:
    """Reports the size of each element in bytes to the aggregator, under a tag.

    Returns:
      A transformation for `Dataset.apply`; the elements are unchanged.
    """
    return lambda dataset: _StatsDataset(dataset, raw.BytesProducedStatsDataset, tag)


def latency_stats(tag: str) -> Callable[[DatasetV2], Any]:
    """Reports the latency of each element in microseconds to the aggregator, under a tag.

    Returns:
      A transformation for `Dataset.apply`; the elements are unchanged.
    """
    return lambda dataset: _StatsDataset(dataset, raw.LatencyStatsDataset, tag)


class _StatsDataset(UnaryUnchangedStructureDataset):
    def __init__(self, input_dataset: DatasetV2, op: Any, tag: str):
        self._add(op, input_dataset, ops.convert_to_tensor(tag, dtype=dtypes.string))
