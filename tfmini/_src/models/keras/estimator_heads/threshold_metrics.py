"""Accuracy, precision and recall of predictions at or above thresholds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.models.keras.metrics.mean_metrics import BinaryAccuracy
from tfmini._src.models.keras.metrics.precision_recall import Precision, Recall

_METRIC_NAMES = ("accuracy", "precision", "recall")


def _metric_key(metric_name: str, threshold: float, key: Callable[[str], str]) -> str:
    return key(f"{metric_name}/positive_threshold_{threshold:g}")


def metrics_at(thresholds: tuple, key: Callable[[str], str]) -> dict[str, Any]:
    """Creates a metric for each threshold, by key; `key` appends the head's name to a key."""
    metrics: dict[str, Any] = {}
    for threshold in thresholds:
        accuracy, precision, recall = (
            _metric_key(metric_name, threshold, key) for metric_name in _METRIC_NAMES
        )
        metrics[accuracy] = BinaryAccuracy(name=accuracy, threshold=threshold)
        metrics[precision] = Precision(name=precision, thresholds=threshold)
        metrics[recall] = Recall(name=recall, thresholds=threshold)
    return metrics


def update(
    metrics: dict[str, Any],
    thresholds: tuple,
    key: Callable[[str], str],
    labels: Any,
    predictions: Any,
    weights: Any,
) -> None:
    """Updates the metrics of `metrics_at` with a batch of examples."""
    for threshold in thresholds:
        for metric_name in _METRIC_NAMES:
            metric = metrics[_metric_key(metric_name, threshold, key)]
            metric.update_state(labels, predictions, sample_weight=weights)
