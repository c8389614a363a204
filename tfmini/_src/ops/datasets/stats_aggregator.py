"""Input pipeline statistics: histograms of element latency and size, by tag.

Monitored datasets report to the aggregator of their run, which `SetStatsAggregatorDataset` sets.
"""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.locks import make_lock
from tfmini._src.graph.op_traits.handle_kinds import (
    STATS_AGGREGATOR,
    SUMMARY_WRITER,
    Resource,
)
from tfmini._src.graph.opdef import op_with_handles
from tfmini._src.ops.datasets.dataset_value import (
    ELEMENTS,
    SOURCES,
    Element,
    Iterator,
    PassThroughIterator,
    Run,
    SameSizeDataset,
    handle_shape,
    set_declared_types,
    string_argument,
)
from tfmini._src.ops.operands import dense
from tfmini._src.ops.summaries.encoding import encode_histogram
from tfmini._src.ops.summaries.histogram_buckets import compute_histogram

op = op_with_handles(
    **SOURCES,
    stats_aggregator=STATS_AGGREGATOR,
    iterator=STATS_AGGREGATOR,
    summary=SUMMARY_WRITER,
)


class Aggregator(Resource):
    """Values recorded by input pipelines, by tag."""

    resource_kind = STATS_AGGREGATOR

    def __init__(self) -> None:
        self._values: dict[str, list[float]] = {}
        self._lock = make_lock()
        self._writer: Any = None

    def add(self, tag: str, value: float, step: int) -> None:
        """Records a value for element number `step` and writes it to the summary writer, if set."""
        with self._lock:
            if self._writer is None:
                self._values.setdefault(tag, []).append(value)
                return
        summary = proto.Summary()
        summary.MergeFromString(_encode(tag, [value]))
        event = proto.Event(wall_time=time.time(), step=step, summary=summary)
        self._writer.writer().add(event)

    def write_to(self, writer: Any) -> None:
        """Sends subsequent values to a summary writer."""
        self._writer = writer

    def summary(self) -> bytes:
        """Returns a serialized Summary with a histogram for each tag."""
        result = proto.Summary()
        with self._lock:
            for tag, values in self._values.items():
                result.MergeFromString(_encode(tag, values))
        return result.SerializeToString()


def _encode(tag: str, values: list[float]) -> bytes:
    return encode_histogram(os.fsencode(tag), compute_histogram(np.array(values), tag))


class StatsAggregatorDataset(SameSizeDataset):
    """The elements of a pipeline that reports to an aggregator under tags prefixed with `prefix` and `::`."""

    settings: tuple[Aggregator, str]

    def iterate(self, run: Run, path: str) -> Iterator:
        run.watcher = self.settings
        return self.source.iterate(run, path)


class StatsDataset(SameSizeDataset):
    """The elements; records the size in bytes or the latency in microseconds of each under a tag."""

    def iterate(self, run: Run, path: str) -> Iterator:
        inner = self.source.iterate(run, path + "/Stats")
        if run.watcher is None:
            return inner
        aggregator, prefix = run.watcher
        tag, sizes = self.settings
        return _StatsIterator(inner, aggregator, f"{prefix}::{tag}" if prefix else tag, sizes)


class _StatsIterator(PassThroughIterator):
    position = ("_step",)

    def __init__(self, inner: Iterator, aggregator: Aggregator, tag: str, sizes: bool):
        super().__init__(inner)
        self._aggregator = aggregator
        self._tag = tag
        self._sizes = sizes
        self._step = 0

    def next(self) -> Element | None:
        start = time.perf_counter()
        element = self._inner.next()
        if element is not None:
            self._step += 1
            if self._sizes:
                value = float(sum(map(_byte_count, element)))
            else:
                value = float(int((time.perf_counter() - start) * 1e6))
            self._aggregator.add(self._tag, value, self._step)
        return element


def _byte_count(value: Any) -> int:
    array = dense(value)
    if array.dtype == object:
        # TensorFlow's string type takes eight bytes in addition to the characters.
        return sum(8 + len(item) for item in array.ravel() if isinstance(item, bytes))
    return array.nbytes


def _aggregator(ctx: Any) -> Aggregator:
    attrs = ctx.attrs
    key = ("stats aggregator", attrs["container"], attrs["shared_name"] or (ctx.op.name,))
    return ctx.resources.named(key, Aggregator)


@op("StatsAggregatorHandle", "-> handle: resource", stateful=True, container="", shared_name="")
def stats_aggregator_handle_op(ctx):
    return _aggregator(ctx)


@op("StatsAggregatorHandleV2", "-> handle: resource", stateful=True, container="", shared_name="")
def stats_aggregator_handle_v2_op(ctx):
    return _aggregator(ctx)


@op(
    "StatsAggregatorSetSummaryWriter",
    "stats_aggregator: resource, summary: resource ->",
    stateful=True,
)
def stats_aggregator_set_summary_writer_op(xp, stats_aggregator, summary):
    stats_aggregator.write_to(summary)
    return ()


@op("StatsAggregatorSummary", "iterator: resource -> summary: string", stateful=True)
def stats_aggregator_summary_op(xp, iterator):
    return iterator.summary()


@op(
    "SetStatsAggregatorDataset",
    "input_dataset: variant, stats_aggregator: resource, tag: string, counter_prefix: string -> handle: variant",
    stateful=True,
    **ELEMENTS,
)
def set_stats_aggregator_dataset_op(ctx, input_dataset, stats_aggregator, tag, counter_prefix):
    string_argument(counter_prefix, "counter_prefix")
    return set_declared_types(
        StatsAggregatorDataset(input_dataset, stats_aggregator, string_argument(tag, "tag")), ctx
    )


@op(
    "BytesProducedStatsDataset",
    "input_dataset: variant, tag: string -> handle: variant",
    **ELEMENTS,
)
def bytes_produced_stats_dataset_op(ctx, input_dataset, tag):
    return set_declared_types(StatsDataset(input_dataset, string_argument(tag, "tag"), True), ctx)


@op("LatencyStatsDataset", "input_dataset: variant, tag: string -> handle: variant", **ELEMENTS)
def latency_stats_dataset_op(ctx, input_dataset, tag):
    return set_declared_types(StatsDataset(input_dataset, string_argument(tag, "tag"), False), ctx)


for _op in (
    stats_aggregator_handle_op,
    stats_aggregator_handle_v2_op,
    stats_aggregator_summary_op,
    set_stats_aggregator_dataset_op,
    bytes_produced_stats_dataset_op,
    latency_stats_dataset_op,
):
    _op.infer(handle_shape)
