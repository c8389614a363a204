"""Older names of `tf.metrics`, with predictions before labels and a few other arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.metrics import (
    average_precision_at_k,
    curve_metrics,
    metrics_at_thresholds,
    per_class_means,
    precision_recall,
    precision_recall_at_k,
    running_means,
)
from tfmini._src.nn.metrics.operands import fit_operands
from tfmini._src.nn.metrics.precision_recall_at_k import at_k_name
from tfmini._src.nn.metrics.state import collect
from tfmini._src.ops import ops

# For type checkers, an alias has the metric's signature: arguments of the same names, of any type.
_Metric = TypeVar("_Metric", bound=Callable[..., tuple[Tensor, Tensor]])

SWAPPED_ARGUMENTS_NOTICE = (
    "Please switch to tf.metrics.{}. Note that the order of the labels and predictions arguments "
    "has been switched."
)


def streaming(metric: _Metric, name: str | None = None) -> _Metric:
    """Returns a metric for an older name, which takes predictions before labels."""
    order = inspect.signature(metric)
    labels, predictions, *options = order.parameters.values()

    def call(
        predictions: TensorLike, labels: TensorLike, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        return metric(labels, predictions, *args, **kwargs)

    result: Any = call
    result.__signature__ = order.replace(parameters=[predictions, labels, *options])
    result.__name__ = result.__qualname__ = f"streaming_{name or metric.__name__}"
    result.__doc__ = f"`tf.metrics.{metric.__name__}` with predictions before labels."
    return result


def streaming_deprecated(metric: _Metric, instructions: str = SWAPPED_ARGUMENTS_NOTICE) -> _Metric:
    """Returns a metric like `streaming`, for an older name that is deprecated."""
    return deprecated(None, instructions.format(metric.__name__))(streaming(metric))


streaming_true_positives = streaming_deprecated(precision_recall.true_positives)
streaming_true_negatives = streaming_deprecated(precision_recall.true_negatives)
streaming_false_positives = streaming_deprecated(precision_recall.false_positives)
streaming_false_negatives = streaming_deprecated(precision_recall.false_negatives)
streaming_accuracy = streaming_deprecated(running_means.accuracy)
streaming_precision = streaming_deprecated(precision_recall.precision)
streaming_recall = streaming_deprecated(precision_recall.recall)
streaming_mean_absolute_error = streaming_deprecated(running_means.mean_absolute_error)
streaming_mean_squared_error = streaming_deprecated(running_means.mean_squared_error)
streaming_root_mean_squared_error = streaming_deprecated(running_means.root_mean_squared_error)
streaming_precision_at_thresholds = streaming_deprecated(
    metrics_at_thresholds.precision_at_thresholds,
    SWAPPED_ARGUMENTS_NOTICE.replace("has been", "are"),
)
streaming_recall_at_thresholds = streaming_deprecated(metrics_at_thresholds.recall_at_thresholds)
streaming_mean_relative_error = streaming(running_means.mean_relative_error)
streaming_mean_iou = streaming(per_class_means.mean_iou)
streaming_specificity_at_sensitivity = streaming(curve_metrics.specificity_at_sensitivity)
streaming_sensitivity_at_specificity = streaming(curve_metrics.sensitivity_at_specificity)
streaming_sparse_recall_at_k = streaming(precision_recall_at_k.recall_at_k, "sparse_recall_at_k")
streaming_sparse_precision_at_k = streaming(
    precision_recall_at_k.precision_at_k, "sparse_precision_at_k"
)
streaming_sparse_average_precision_at_k = streaming(
    average_precision_at_k.average_precision_at_k, "sparse_average_precision_at_k"
)


@deprecated(None, "Please switch to tf.metrics.mean")
@arguments_of(running_means.mean)
def streaming_mean(*args: Any) -> tuple[Tensor, Tensor]:
    """Older name of `tf.metrics.mean`."""
    return running_means.mean(*args)


@deprecated(None, "Please switch to tf.metrics.mean_tensor")
@arguments_of(running_means.mean_tensor)
def streaming_mean_tensor(*args: Any) -> tuple[Tensor, Tensor]:
    """Older name of `tf.metrics.mean_tensor`."""
    return running_means.mean_tensor(*args)


@arguments_of(running_means.percentage_below)
def streaming_percentage_less(*args: Any) -> tuple[Tensor, Tensor]:
    """Older name of `tf.metrics.percentage_below`."""
    return running_means.percentage_below(*args)


@arguments_of(streaming(running_means.mean_cosine_distance))
def streaming_mean_cosine_distance(
    predictions: Any, labels: Any, dim: int, weights: Any, *options: Any
) -> tuple[Tensor, Tensor]:
    """Calls `tf.metrics.mean_cosine_distance`, with predictions before labels."""
    metrics_collections, updates_collections, name = options
    predictions, labels, weights = fit_operands(predictions, labels, weights)
    products = ops.multiply(predictions, labels)
    products = ops.reduce_sum(products, axis=[dim], keepdims=True)
    both = running_means.mean(products, weights, None, None, name or "mean_cosine_distance")
    value, update = (ops.subtract(1.0, similarity) for similarity in both)
    return collect(value, update, metrics_collections, updates_collections)


@deprecated(None, SWAPPED_ARGUMENTS_NOTICE.format("auc"))
@arguments_of(streaming(curve_metrics.auc), "summation_method", "thresholds")
def streaming_auc(**kwargs: Any) -> tuple[Tensor, Tensor]:
    """Calls `tf.metrics.auc`, with predictions before labels."""
    return curve_metrics.auc(**kwargs)


@deprecated(
    "2016-11-08",
    "Please use `streaming_sparse_recall_at_k`, and reshape labels from [batch_size] to [batch_size, 1].",
)
def streaming_recall_at_k(
    predictions: TensorLike,
    labels: TensorLike,
    k: int,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Computes recall at k: the fraction of labels, int [batch], in the top k of predictions [batch, classes].

    Other arguments and results are as in `tf.metrics.mean`.
    """
    hits = ops.cast(ops.in_top_k(predictions, labels, k), dtypes.float32)
    name = name or at_k_name("recall", k)
    return running_means.mean(hits, weights, metrics_collections, updates_collections, name)


def streaming_sparse_precision_at_top_k(
    top_k_predictions: TensorLike,
    labels: TensorLike,
    class_id: int | None = None,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Calls `tf.metrics.precision_at_top_k`, with predicted classes before labels."""
    inputs = (top_k_predictions, labels, weights)
    with name_scope(name, at_k_name("precision", class_id=class_id), inputs) as scope:
        options = (weights, metrics_collections, updates_collections, scope)
        return precision_recall_at_k.precision_at_top_k(
            labels, top_k_predictions, None, class_id, *options
        )


def sparse_recall_at_top_k(
    labels: TensorLike,
    top_k_predictions: TensorLike,
    class_id: int | None = None,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Older name of `tf.metrics.recall_at_top_k`."""
    inputs = (top_k_predictions, labels, weights)
    with name_scope(name, at_k_name("recall", class_id=class_id), inputs) as scope:
        options = (weights, metrics_collections, updates_collections, scope)
        return precision_recall_at_k.recall_at_top_k(
            labels, top_k_predictions, None, class_id, *options
        )


def streaming_sparse_average_precision_at_top_k(
    top_k_predictions: TensorLike,
    labels: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Calls `tf.metrics.average_precision_at_k` for top-k classes, most likely first."""
    options = (weights, metrics_collections, updates_collections, name)
    return average_precision_at_k.average_precision_at_top_k(labels, top_k_predictions, *options)
