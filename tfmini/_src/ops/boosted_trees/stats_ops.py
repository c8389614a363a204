"""Ops that sum gradients and hessians by tree node and feature bucket."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import InferenceError, merge, merge_dim, with_rank
from tfmini._src.ops.operands import shape_text

_POSITIVE = Attr("int", minimum=1)


def _sums(keys: np.ndarray, columns: Sequence[np.ndarray], size: int) -> np.ndarray:
    """Returns the sums of each column by key, [size, columns], summed in double precision."""
    sums = np.empty((size, len(columns)), np.float32)
    for index, column in enumerate(columns):
        sums[:, index] = np.bincount(keys, column, size)
    return sums


def _check_batch(node_ids: Any, gradients: Any, hessians: Any, max_splits: int) -> None:
    if node_ids.ndim != 1 or gradients.ndim != 2 or hessians.ndim != 2:
        invalid("node_ids must be a vector, gradients and hessians matrices.")
    if not len(node_ids) == len(gradients) == len(hessians):
        invalid(
            f"Got {len(node_ids)} node_ids, {len(gradients)} gradients, {len(hessians)} hessians"
        )
    _check_range("node_ids", node_ids, 0, max_splits)


def _check_range(name: str, values: np.ndarray, low: int, end: int) -> None:
    if values.size and (values.min() < low or values.max() >= end):
        invalid(f"{name} must be in [{low}, {end})")


@op(
    "BoostedTreesMakeStatsSummary",
    "node_ids: int32, gradients: float, hessians: float, "
    "bucketized_features_list: num_features * int32 -> stats_summary: float",
    max_splits=_POSITIVE,
    num_buckets=_POSITIVE,
    num_features=_POSITIVE,
)
def make_stats_summary_op(
    xp, node_ids, gradients, hessians, features, *, max_splits, num_buckets, num_features
):
    _check_batch(node_ids, gradients, hessians, max_splits)
    if len(node_ids) and not (gradients.shape[1] and hessians.shape[1]):
        invalid("gradients and hessians must have a column.")
    columns = (
        [matrix[:, 0] for matrix in (gradients, hessians)] if len(node_ids) else [node_ids] * 2
    )
    shape = num_features, max_splits, num_buckets, 2
    size = math.prod(shape[1:3])
    stats = np.zeros((num_features * size, 2))
    for index, feature in enumerate(features):
        if feature.shape != node_ids.shape:
            invalid(
                f"Got {len(node_ids)} node_ids, and buckets of shape {shape_text(feature.shape)}"
            )
        # Quantiles may have a few more buckets than `num_buckets`: as in TensorFlow, those after the last one are
        # counted as the first ones of the next node.
        _check_range("bucketized_features_list", feature, 0, 1 << 31)
        keys = node_ids * np.intp(num_buckets) + feature
        rest = len(stats) - index * size
        if keys.max(initial=0) >= rest:
            keys = np.where(keys < rest, keys, rest)
        for column, values in enumerate(columns):
            stats[index * size :, column] += np.bincount(keys, values, rest)[:rest]
    return stats.astype(np.float32).reshape(shape)


@make_stats_summary_op.infer
def _(op):
    (batch,) = with_rank(op.inputs[0]._dims, 1)
    gradients, hessians = (with_rank(tensor._dims, 2) for tensor in op.inputs[1:3])
    merge_dim(batch, gradients[0])
    merge(gradients, hessians)
    for tensor in op.inputs[3:]:
        merge_dim(batch, with_rank(tensor._dims, 1)[0])
    return (*(op.attrs[name] for name in ("num_features", "max_splits", "num_buckets")), 2)


@op(
    "BoostedTreesAggregateStats",
    "node_ids: int32, gradients: float, hessians: float, feature: int32 -> stats_summary: float",
    max_splits=_POSITIVE,
    num_buckets=_POSITIVE,
)
def aggregate_stats_op(xp, node_ids, gradients, hessians, feature, *, max_splits, num_buckets):
    """Sums gradients and hessians of several dimensions; the missing value -1 is in the last bucket."""
    _check_batch(node_ids, gradients, hessians, max_splits)
    if feature.ndim != 2 or len(feature) != len(node_ids):
        invalid(f"Got {len(node_ids)} node_ids, and a feature of shape {shape_text(feature.shape)}")
    _check_range("feature", feature, -1, num_buckets)
    dimensions = feature.shape[1]
    shape = max_splits, dimensions, num_buckets + 1
    buckets = np.where(feature == -1, num_buckets, feature)
    keys = np.ravel_multi_index((node_ids[:, None], np.arange(dimensions), buckets), shape).ravel()
    columns = [np.repeat(column, dimensions) for column in (*gradients.T, *hessians.T)]
    return _sums(keys, columns, int(np.prod(shape))).reshape(*shape, len(columns))


@aggregate_stats_op.infer
def _(op):
    (batch,) = with_rank(op.inputs[0]._dims, 1)
    matrices = [with_rank(tensor._dims, 2) for tensor in op.inputs[1:]]
    for dims in matrices:
        batch = merge_dim(batch, dims[0])
    gradients, hessians, feature = (dims[1] for dims in matrices)
    stats = None if gradients is None or hessians is None else gradients + hessians
    return (op.attrs["max_splits"], feature, op.attrs["num_buckets"] + 1, stats)


@op(
    "BoostedTreesSparseAggregateStats",
    "node_ids: int32, gradients: float, hessians: float, feature_indices: int32, feature_values: int32, "
    "feature_shape: int32 -> stats_summary_indices: int32, stats_summary_values: float, stats_summary_shape: int32",
    max_splits=_POSITIVE,
    num_buckets=_POSITIVE,
)
def sparse_aggregate_stats_op(
    xp, node_ids, gradients, hessians, indices, values, shape, *, max_splits, num_buckets
):
    _check_batch(node_ids, gradients, hessians, max_splits)
    if shape.shape != (2,) or shape[1] < 0 or indices.shape != (values.size, 2) or values.ndim != 1:
        invalid(
            f"Got feature_indices {shape_text(indices.shape)}, feature_values {shape_text(values.shape)} "
            f"and feature_shape {shape.tolist()}"
        )
    dimensions = int(shape[1])
    _check_range("feature_indices", indices[:, 0], 0, len(node_ids))
    _check_range("feature_indices", indices[:, 1], 0, dimensions)
    _check_range("feature_values", values, 0, num_buckets)
    buckets = np.full((len(node_ids), dimensions), num_buckets)
    buckets[indices[:, 0], indices[:, 1]] = values
    full = max_splits, dimensions, num_buckets + 1
    if math.prod(full) >= 1 << 63 or max(full) >= 1 << 31:
        invalid(f"Shape {list(full)} has too many elements")
    keys = np.ravel_multi_index((node_ids[:, None], np.arange(dimensions), buckets), full)
    found, places = np.unique(keys, return_inverse=True)
    columns = [np.repeat(column, dimensions) for column in (*gradients.T, *hessians.T)]
    sums = np.zeros((len(found), len(columns)), np.float32)
    for index, column in enumerate(columns):
        np.add.at(sums[:, index], places.ravel(), column)  # in single precision, as TensorFlow does
    rows = np.repeat(np.stack(np.unravel_index(found, full), 1), len(columns), 0)
    stat = np.tile(np.arange(len(columns)), len(found))
    summary_indices = np.concatenate([rows, stat[:, None]], 1).astype(np.int32)
    return summary_indices, sums.ravel(), np.array([*full, len(columns)], np.int32)


@sparse_aggregate_stats_op.infer
def _(op):
    ranks = (1, 2, 2, 2, 1, 1)
    dims = [with_rank(tensor._dims, rank) for tensor, rank in zip(op.inputs, ranks)]
    merge_dim(merge_dim(dims[0][0], dims[1][0]), dims[2][0])
    merge_dim(dims[3][0], dims[4][0])
    if dims[5][0] not in (None, 2):
        raise InferenceError(f"Dimension must be 2 but is {dims[5][0]}")
    return [(None, 4), (None,), (4,)]
