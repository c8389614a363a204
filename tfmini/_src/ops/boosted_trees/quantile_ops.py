"""Ops that collect the quantiles of features, and find the buckets between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.graph.op_traits.handle_kinds import QUANTILE_STREAMS, any_resource
from tfmini._src.graph.opdef import Attr, op, op_with_handles
from tfmini._src.graph.shape_inference import checked_ranks, merge_dim, scalar, with_rank
from tfmini._src.ops.boosted_trees.created_resource import (
    CreatedResource,
    exists,
    handle_of_node,
    to_create,
)
from tfmini._src.ops.boosted_trees.quantile_summary import QuantileStream, boundaries, quantiles
from tfmini._src.ops.operands import first_number, shape_text

_COUNT = Attr("int", minimum=0)
_MAX_STREAMS = 1 << 24
_HANDLE = "quantile_stream_resource_handle"
_SUMMARIES = "summaries: num_features * float"
stream_op = op_with_handles(quantile_stream_resource_handle=QUANTILE_STREAMS)


class QuantileStreams(CreatedResource):
    """A stream of values for each feature, and the boundaries of its buckets once flushed."""

    resource_kind = QUANTILE_STREAMS

    def open(self, epsilon: float, max_elements: int, count: int) -> None:
        """Creates `count` empty streams."""
        self._settings = epsilon, max_elements
        self.boundaries = [np.zeros(0, np.float32)] * count
        self.reset()

    def reset(self) -> None:
        """Empties the streams."""
        self.streams = [QuantileStream(*self._settings) for _ in self.boundaries]

    def check_count(self, count: int) -> None:
        """Raises InvalidArgumentError unless there are `count` streams."""
        if count != len(self.streams):
            invalid(f"Got {count} features for {len(self.streams)} quantile streams")


@op(
    "BoostedTreesQuantileStreamResourceHandleOp",
    "-> resource: resource",
    infer=scalar,
    stateful=True,
    container="",
    shared_name="",
)
def quantile_stream_handle_op(ctx):
    return handle_of_node(ctx, "quantile_streams", QuantileStreams)


@op(
    "IsBoostedTreesQuantileStreamResourceInitialized",
    f"{_HANDLE}: resource -> is_initialized: bool",
    infer=checked_ranks(0, result=()),
    stateful=True,
    handles={_HANDLE: any_resource},
)
def is_quantile_stream_initialized_op(xp, streams):
    return exists(streams, QUANTILE_STREAMS)


@op(
    "BoostedTreesCreateQuantileStreamResource",
    f"{_HANDLE}: resource, epsilon: float, num_streams: int64 ->",
    infer=checked_ranks(0, 0, 0, result=[]),
    stateful=True,
    handles={_HANDLE: to_create(QUANTILE_STREAMS)},
    max_elements=1 << 40,
)
def create_quantile_stream_op(xp, streams, epsilon, num_streams, *, max_elements):
    epsilon, count = first_number(epsilon, "epsilon"), first_number(num_streams, "num_streams")
    if not epsilon > 0:
        invalid("An epsilon value of zero is not allowed.")
    if epsilon >= 1 or not 0 <= count <= _MAX_STREAMS or max_elements < 1:
        invalid(f"Got epsilon {epsilon}, {count} streams and max_elements {max_elements}")
    with streams.lock:
        if streams.destroyed:
            streams.open(float(epsilon), max_elements, int(count))
            streams.mark_created()
    return ()


@op(
    "BoostedTreesMakeQuantileSummaries",
    f"float_values: num_features * float, example_weights: float, epsilon: float -> {_SUMMARIES}",
    num_features=_COUNT,
)
def make_quantile_summaries_op(xp, values, weights, epsilon):
    weights, epsilon = weights.ravel(), float(first_number(epsilon, "epsilon"))
    if not 0 <= epsilon < 1:
        invalid(f"epsilon must be in [0, 1), got {epsilon}")
    summaries = []
    for feature in values:
        if weights.size not in (1, feature.size):
            invalid("Weights should be a single value or same size as features.")
        stream = QuantileStream(epsilon, feature.size + 1)
        stream.add(feature.ravel(), np.broadcast_to(weights, feature.size))
        summaries.append(stream.finish())
    return tuple(summaries)


@make_quantile_summaries_op.infer
def _(op):
    *values, weights, epsilon = (tensor._dims for tensor in op.inputs)
    for dims in (weights, *values):
        with_rank(dims, 1)
    with_rank(epsilon, 0)
    return [(None, 4)] * len(values)


@stream_op(
    "BoostedTreesFlushQuantileSummaries",
    f"{_HANDLE}: resource -> {_SUMMARIES}",
    infer=lambda op: [(None, 4)] * op.attrs["num_features"],
    stateful=True,
    num_features=_COUNT,
)
def flush_quantile_summaries_op(xp, streams, *, num_features):
    with streams.lock:
        streams.check_count(num_features)
        summaries = [stream.finish() for stream in streams.streams]
        streams.reset()
    return tuple(summaries)


@stream_op(
    "BoostedTreesQuantileStreamResourceAddSummaries",
    f"{_HANDLE}: resource, {_SUMMARIES} ->",
    stateful=True,
    num_features=_COUNT,
)
def add_summaries_op(xp, streams, summaries):
    with streams.lock:
        streams.check_count(len(summaries))
        for summary in summaries:
            if summary.ndim != 2 or summary.shape[1] != 4:
                invalid(f"Summaries must be [entries, 4], got {shape_text(summary.shape)}")
        for stream, summary in zip(streams.streams, summaries):
            stream.add_summary(summary)
    return ()


@add_summaries_op.infer
def _(op):
    return checked_ranks(0, *[2] * (len(op.inputs) - 1), result=[])(op)


@stream_op(
    "BoostedTreesQuantileStreamResourceDeserialize",
    f"{_HANDLE}: resource, bucket_boundaries: num_streams * float ->",
    infer=checked_ranks(
        0, 0, result=[]
    ),  # the boundaries are vectors, but TensorFlow's rule is this
    stateful=True,
    num_streams=Attr("int", minimum=1),
)
def deserialize_quantile_stream_op(xp, streams, bucket_boundaries):
    with streams.lock:
        streams.check_count(len(bucket_boundaries))
        for values in bucket_boundaries:
            if values.ndim != 1:
                invalid(f"Bucket boundaries must be vectors, got {shape_text(values.shape)}")
        streams.boundaries = [values.copy() for values in bucket_boundaries]
    return ()


@stream_op(
    "BoostedTreesQuantileStreamResourceFlush",
    f"{_HANDLE}: resource, num_buckets: int64 ->",
    infer=checked_ranks(0, 0, result=[]),
    stateful=True,
    generate_quantiles=False,
)
def flush_quantile_stream_op(xp, streams, num_buckets, *, generate_quantiles):
    count = int(first_number(num_buckets, "num_buckets"))
    with streams.lock:
        summaries = [stream.finish() for stream in streams.streams]
        if generate_quantiles and (count < 3 or not all(map(len, summaries))):
            invalid(f"Cannot find {count} quantiles of {[len(s) for s in summaries]} values")
        if count < 1:
            invalid(f"num_buckets must be positive, got {count}")
        find = quantiles if generate_quantiles else boundaries
        streams.boundaries = [find(summary, count) for summary in summaries]
        streams.reset()
    return ()


@stream_op(
    "BoostedTreesQuantileStreamResourceGetBucketBoundaries",
    f"{_HANDLE}: resource -> bucket_boundaries: num_features * float",
    infer=lambda op: [(None,)] * op.attrs["num_features"],
    stateful=True,
    num_features=_COUNT,
)
def get_bucket_boundaries_op(xp, streams, *, num_features):
    with streams.lock:
        streams.check_count(num_features)
        return tuple(streams.boundaries)


@op(
    "BoostedTreesBucketize",
    "float_values: num_features * float, bucket_boundaries: num_features * float -> buckets: num_features * int32",
    num_features=_COUNT,
)
def bucketize_op(xp, values, bucket_boundaries):
    buckets: list[Any] = []
    for feature, limits in zip(values, bucket_boundaries):
        if np.ndim(limits) != 1:
            invalid("Buckets should be flat vectors.")
        rows = np.reshape(feature[:, :1] if np.ndim(feature) == 2 else feature, -1)
        indices = np.searchsorted(limits, rows)
        indices[np.isnan(rows)] = 0
        buckets.append(np.minimum(indices, max(len(limits) - 1, 0)).astype(np.int32))
    return tuple(buckets)


@bucketize_op.infer
def _(op):
    count = op.attrs["num_features"]
    batch = None
    for tensor in op.inputs[:count]:
        batch = merge_dim(batch, with_rank(tensor._dims, 1)[0])
    for tensor in op.inputs[count:]:
        with_rank(tensor._dims, 1)
    return [(batch,)] * count
