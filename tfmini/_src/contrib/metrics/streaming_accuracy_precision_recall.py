"""Older names of `tf.metrics` that take predictions before labels."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.metrics import (
    auc,
    average_precision,
    mean_and_accuracy,
    mean_iou_and_per_class_accuracy,
    precision_recall,
    precision_recall_at_k,
    thresholds,
)

# To type checkers an older name takes what the metric takes: all is named alike, and of any type.
_Metric = TypeVar("_Metric", bound=Callable[..., tuple[Tensor, Tensor]])

SWITCHED = (
    "Please switch to tf.metrics.{}. Note that the order of the labels and predictions arguments "
    "has been switched."
)


def streaming(metric: _Metric, name: str | None = None) -> _Metric:
    """A metric under an older name, with the predictions before the labels."""
    order = inspect.signature(metric)
    labels, predictions, *options = order.parameters.values()

    def call(predictions: Any, labels: Any, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        return metric(labels, predictions, *args, **kwargs)

    made: Any = call
    made.__signature__ = order.replace(parameters=[predictions, labels, *options])
    made.__name__ = made.__qualname__ = f"streaming_{name or metric.__name__}"
    made.__doc__ = f"`tf.metrics.{metric.__name__}` with the predictions before the labels."
    return made


def switched(metric: _Metric, instructions: str = SWITCHED) -> _Metric:
    """The same of a metric whose older name is deprecated."""
    return deprecated(None, instructions.format(metric.__name__))(streaming(metric))


streaming_true_positives = switched(precision_recall.true_positives)
streaming_true_negatives = switched(precision_recall.true_negatives)
streaming_false_positives = switched(precision_recall.false_positives)
streaming_false_negatives = switched(precision_recall.false_negatives)
streaming_accuracy = switched(mean_and_accuracy.accuracy)
streaming_precision = switched(precision_recall.precision)
streaming_recall = switched(precision_recall.recall)
streaming_mean_absolute_error = switched(mean_and_accuracy.mean_absolute_error)
streaming_mean_squared_error = switched(mean_and_accuracy.mean_squared_error)
streaming_root_mean_squared_error = switched(mean_and_accuracy.root_mean_squared_error)
streaming_precision_at_thresholds = switched(
    thresholds.precision_at_thresholds, SWITCHED.replace("has been", "are")
)
streaming_recall_at_thresholds = switched(thresholds.recall_at_thresholds)
streaming_mean_relative_error = streaming(mean_and_accuracy.mean_relative_error)
streaming_mean_iou = streaming(mean_iou_and_per_class_accuracy.mean_iou)
streaming_specificity_at_sensitivity = streaming(auc.specificity_at_sensitivity)
streaming_sensitivity_at_specificity = streaming(auc.sensitivity_at_specificity)
streaming_sparse_recall_at_k = streaming(precision_recall_at_k.recall_at_k, "sparse_recall_at_k")
streaming_sparse_precision_at_k = streaming(
    precision_recall_at_k.precision_at_k, "sparse_precision_at_k"
)
streaming_sparse_average_precision_at_k = streaming(
    average_precision.average_precision_at_k, "sparse_average_precision_at_k"
)
