"""Metrics of heads, with weights broadcast to the measured values."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.heads.checks import to_float
from tfmini._src.nn.metrics.curve_metrics import auc as metrics_auc
from tfmini._src.nn.metrics.metrics_at_thresholds import (
    precision_at_thresholds,
    recall_at_thresholds,
)
from tfmini._src.nn.metrics.running_means import accuracy, mean as metrics_mean
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_weights import broadcast_weights

Pair = tuple[Any, Any]

LOSS, LOSS_MEAN, REGULARIZATION = "loss", "average_loss", "regularization_loss"


def metric_key(name: str | None, key: str) -> str:
    """Returns the metric key with the head's name, if any, appended."""
    return f"{key}/{name}" if name else key


def _broadcast(values: Tensor, weights: Any) -> Any:
    return weights if weights is None else broadcast_weights(weights, values)


def labels_mean(labels: Any, weights: Any, name: str) -> Pair:
    """Returns the mean of labels in [0, 1]."""
    with name_scope(name, "labels_mean", (labels, weights)) as scope:
        labels = to_float(labels, name="labels")
        return metrics_mean(labels, weights=_broadcast(labels, weights), name=scope)


def predictions_mean(predictions: Any, weights: Any, name: str) -> Pair:
    """Returns the mean of predictions."""
    with name_scope(name, "predictions_mean", (predictions, weights)) as scope:
        predictions = to_float(predictions, name="predictions")
        return metrics_mean(predictions, weights=_broadcast(predictions, weights), name=scope)


def accuracy_baseline(mean: Pair) -> Pair:
    """Returns the frequency of the more frequent class: the accuracy of a constant prediction."""
    with name_scope(None, "accuracy_baseline", mean):
        value, update = mean
        return (
            ops.maximum(value, 1.0 - value, name="value"),
            ops.maximum(update, 1 - update, name="update_op"),
        )


def auc(labels: Any, predictions: Any, weights: Any, name: str, curve: str = "ROC") -> Pair:
    """Returns the area under a curve."""
    with name_scope(name, "auc", (predictions, labels, weights)) as scope:
        predictions = to_float(predictions, name="predictions")
        weights = _broadcast(predictions, weights)
        return metrics_auc(labels, predictions, weights=weights, curve=curve, name=scope)


def metric_at_threshold(
    key: str, labels: Any, predictions: Any, weights: Any, threshold: float, name: str
) -> Pair:
    """Returns the "accuracy", "precision" or "recall" of predictions at or above a threshold."""
    values = (predictions, labels, weights, threshold)
    with name_scope(name, f"{key}_at_{threshold}", values) as scope:
        if key == "accuracy":
            above = to_float(ops.greater_equal(predictions, threshold))
            return accuracy(labels, above, weights=weights, name=scope)
        measure = precision_at_thresholds
        if key == "recall":
            measure = recall_at_thresholds
        value, update = measure(
            labels, predictions, thresholds=(threshold,), weights=weights, name=scope
        )
        return ops.squeeze(value), ops.squeeze(update)


def at_thresholds(
    head: str | None, labels: Any, predictions: Any, weights: Any, thresholds: tuple
) -> dict[str, Pair]:
    """Returns the accuracy, precision and recall at each threshold."""
    pairs = {}
    for threshold in thresholds:
        for key in ("accuracy", "precision", "recall"):
            name = f"{key}/positive_threshold_{threshold:g}"
            pairs[metric_key(head, name)] = metric_at_threshold(
                key, labels, predictions, weights, threshold, name
            )
    return pairs
