"""Older names of `tf.metrics` that take predictions before labels."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.metrics import (
    auc,
    average_precision,
    mean_and_accuracy,
    mean_iou_and_per_class_accuracy,
    precision_recall,
)
from tfmini._src.nn.metrics import thresholds as at_thresholds

_ORDER = "Note that the order of the labels and predictions arguments"
_SWITCHED = f"Please switch to tf.metrics.{{}}. {_ORDER} has been switched."
_SWITCHED_TOO = f"Please switch to tf.metrics.{{}}. {_ORDER} are switched."


@deprecated(None, _SWITCHED.format("true_positives"))
def streaming_true_positives(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.true_positives` with the predictions before the labels."""
    return precision_recall.true_positives(
        labels, predictions, weights, metrics_collections, updates_collections, name
    )


@deprecated(None, _SWITCHED.format("true_negatives"))
def streaming_true_negatives(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.true_negatives` with the predictions before the labels."""
    return precision_recall.true_negatives(
        labels, predictions, weights, metrics_collections, updates_collections, name
    )


@deprecated(None, _SWITCHED.format("false_positives"))
def streaming_false_positives(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.false_positives` with the predictions before the labels."""
    return precision_recall.false_positives(
        labels, predictions, weights, metrics_collections, updates_collections, name
    )


@deprecated(None, _SWITCHED.format("false_negatives"))
def streaming_false_negatives(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.false_negatives` with the predictions before the labels."""
    return precision_recall.false_negatives(
        labels, predictions, weights, metrics_collections, updates_collections, name
    )


@deprecated(None, _SWITCHED.format("accuracy"))
def streaming_accuracy(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.accuracy` with the predictions before the labels."""
    return mean_and_accuracy.accuracy(
        labels, predictions, weights, metrics_collections, updates_collections, name
    )


@deprecated(None, _SWITCHED.format("precision"))
def streaming_precision(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.precision` with the predictions before the labels."""
    return precision_recall.precision(
        labels, predictions, weights, metrics_collections, updates_collections, name
    )


@deprecated(None, _SWITCHED.format("recall"))
def streaming_recall(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.recall` with the predictions before the labels."""
    return precision_recall.recall(
        labels, predictions, weights, metrics_collections, updates_collections, name
    )


@deprecated(None, _SWITCHED.format("mean_absolute_error"))
def streaming_mean_absolute_error(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.mean_absolute_error` with the predictions before the labels."""
    return mean_and_accuracy.mean_absolute_error(
        labels, predictions, weights, metrics_collections, updates_collections, name
    )


@deprecated(None, _SWITCHED.format("mean_squared_error"))
def streaming_mean_squared_error(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.mean_squared_error` with the predictions before the labels."""
    return mean_and_accuracy.mean_squared_error(
        labels, predictions, weights, metrics_collections, updates_collections, name
    )


@deprecated(None, _SWITCHED.format("root_mean_squared_error"))
def streaming_root_mean_squared_error(
    predictions: Any,
    labels: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.root_mean_squared_error` with the predictions before the labels."""
    return mean_and_accuracy.root_mean_squared_error(
        labels, predictions, weights, metrics_collections, updates_collections, name
    )


@deprecated(None, _SWITCHED_TOO.format("precision_at_thresholds"))
def streaming_precision_at_thresholds(
    predictions: Any,
    labels: Any,
    thresholds: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.precision_at_thresholds` with the predictions before the labels."""
    return at_thresholds.precision_at_thresholds(
        labels, predictions, thresholds, weights, metrics_collections, updates_collections, name
    )


@deprecated(None, _SWITCHED.format("recall_at_thresholds"))
def streaming_recall_at_thresholds(
    predictions: Any,
    labels: Any,
    thresholds: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.recall_at_thresholds` with the predictions before the labels."""
    return at_thresholds.recall_at_thresholds(
        labels, predictions, thresholds, weights, metrics_collections, updates_collections, name
    )


def streaming_mean_relative_error(
    predictions: Any,
    labels: Any,
    normalizer: Any,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.mean_relative_error` with the predictions before the labels."""
    return mean_and_accuracy.mean_relative_error(
        labels, predictions, normalizer, weights, metrics_collections, updates_collections, name
    )


def streaming_mean_iou(
    predictions: Any,
    labels: Any,
    num_classes: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.mean_iou` with the predictions before the labels."""
    return mean_iou_and_per_class_accuracy.mean_iou(
        labels, predictions, num_classes, weights, metrics_collections, updates_collections, name
    )


def streaming_specificity_at_sensitivity(
    predictions: Any,
    labels: Any,
    sensitivity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.specificity_at_sensitivity` with the predictions before the labels."""
    return auc.specificity_at_sensitivity(
        labels,
        predictions,
        sensitivity,
        weights,
        num_thresholds,
        metrics_collections,
        updates_collections,
        name,
    )


def streaming_sensitivity_at_specificity(
    predictions: Any,
    labels: Any,
    specificity: float,
    weights: Any = None,
    num_thresholds: int = 200,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.sensitivity_at_specificity` with the predictions before the labels."""
    return auc.sensitivity_at_specificity(
        labels,
        predictions,
        specificity,
        weights,
        num_thresholds,
        metrics_collections,
        updates_collections,
        name,
    )


def streaming_sparse_average_precision_at_k(
    predictions: Any,
    labels: Any,
    k: int,
    weights: Any = None,
    metrics_collections: Any = None,
    updates_collections: Any = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`tf.metrics.average_precision_at_k` with the predictions before the labels."""
    return average_precision.average_precision_at_k(
        labels, predictions, k, weights, metrics_collections, updates_collections, name
    )
