"""Aggregator of statistics of input pipelines."""

from __future__ import annotations

from typing import Any

from tfmini._src.ops import raw


class StatsAggregator:
    """Collects statistics of input pipelines as histograms by tag.

    Example:
      aggregator = tf.data.experimental.StatsAggregator()
      options = tf.data.Options()
      options.experimental_stats.aggregator = aggregator
      dataset = dataset.apply(tf.data.experimental.latency_stats("ms")).with_options(options)
      tf.add_to_collection(tf.GraphKeys.SUMMARIES, aggregator.get_summary())
    """

    def __init__(self) -> None:
        self._resource = raw.StatsAggregatorHandle()

    def get_summary(self) -> Any:
        """Returns a scalar string, a serialized `tf.Summary` with a histogram per tag, over all elements so far."""
        return raw.StatsAggregatorSummary(self._resource)
