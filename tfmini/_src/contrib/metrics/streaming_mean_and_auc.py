"""Older names of `tf.metrics` with different arguments."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.metrics.streaming_accuracy_precision_recall import SWITCHED
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.metrics import auc, average_precision, mean_and_accuracy, precision_recall_at_k
from tfmini._src.nn.metrics.operands import fitted
from tfmini._src.nn.metrics.precision_recall_at_k import at_k_name
from tfmini._src.nn.metrics.state import collected
from tfmini._src.ops import ops


@deprecated(None, "Please switch to tf.metrics.mean")
@arguments_of(mean_and_accuracy.mean)
def streaming_mean(*given: Any) -> tuple[Tensor, Tensor]:
    """`tf.metrics.mean`."""
    return mean_and_accuracy.mean(*given)


@deprecated(None, "Please switch to tf.metrics.mean_tensor")
@arguments_of(mean_and_accuracy.mean_tensor)
def streaming_mean_tensor(*given: Any) -> tuple[Tensor, Tensor]:
    """`tf.metrics.mean_tensor`."""
    return mean_and_accuracy.mean_tensor(*given)


@arguments_of(mean_and_accuracy.percentage_below)
def streaming_percentage_less(*given: Any) -> tuple[Tensor, Tensor]:
    """`tf.metrics.percentage_below`."""
    return mean_and_accuracy.percentage_below(*given)


def streaming_mean_cosine_distance(
    predictions: Any,
    labels: Any,
    dim: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.mean_cosine_distance` with the predictions before the labels."""
    predictions, labels, weights = fitted(predictions, labels, weights)
    products = ops.multiply(predictions, labels)
    products = ops.reduce_sum(products, axis=[dim], keepdims=True)
    both = mean_and_accuracy.mean(products, weights, None, None, name or "mean_cosine_distance")
    value, update = (ops.subtract(1.0, similarity) for similarity in both)
    return collected(value, update, metrics_collections, updates_collections)


@deprecated(None, SWITCHED.format("auc"))
def streaming_auc(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    curve: str = "ROC",
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.auc` with the predictions before the labels."""
    collections = (metrics_collections, updates_collections)
    return auc.auc(labels, predictions, weights, num_thresholds, *collections, curve, name)


@deprecated(
    "2016-11-08",
    "Please use `streaming_sparse_recall_at_k`, and reshape labels from [batch_size] to [batch_size, 1].",
)
def streaming_recall_at_k(
    predictions: Any,
    labels: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Recall at k: how often the label, int [batch], is in the top k of predictions [batch, classes].

    Other arguments and results as in `tf.metrics.mean`.
    """
    hits = ops.cast(ops.in_top_k(predictions, labels, k), dtypes.float32)
    name = name or at_k_name("recall", k)
    return mean_and_accuracy.mean(hits, weights, metrics_collections, updates_collections, name)


def streaming_sparse_precision_at_top_k(
    top_k_predictions: Any,
    labels: Any,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.precision_at_top_k` with the predicted classes before the labels."""
    inputs = (top_k_predictions, labels, weights)
    with name_scope(name, at_k_name("precision", class_id=class_id), inputs) as scope:
        options = (weights, metrics_collections, updates_collections, scope)
        return precision_recall_at_k.precision_at_top_k(
            labels, top_k_predictions, None, class_id, *options
        )


def sparse_recall_at_top_k(
    labels: Any,
    top_k_predictions: Any,
    class_id: int | None = None,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.recall_at_top_k`."""
    inputs = (top_k_predictions, labels, weights)
    with name_scope(name, at_k_name("recall", class_id=class_id), inputs) as scope:
        options = (weights, metrics_collections, updates_collections, scope)
        return precision_recall_at_k.recall_at_top_k(
            labels, top_k_predictions, None, class_id, *options
        )


def streaming_sparse_average_precision_at_top_k(
    top_k_predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.average_precision_at_k` for top-k classes that are given, most likely first."""
    options = (weights, metrics_collections, updates_collections, name)
    return average_precision.average_precision_at_top_k(labels, top_k_predictions, *options)
