"""False positive and false negative rates, overall and at thresholds; F1 score, precision and recall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.metrics.streaming_metrics import streaming
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.metrics.curve_metrics import auc
from tfmini._src.nn.metrics.metrics_at_thresholds import (
    Counts,
    counts_at_thresholds,
    precision_at_thresholds,
    sum_counts,
)
from tfmini._src.nn.metrics.operands import as_bools, fit_operands
from tfmini._src.nn.metrics.precision_recall import (
    false_negatives,
    false_positives,
    true_negatives,
    true_positives,
)
from tfmini._src.nn.metrics.state import collect, value_and_update
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope

_EPSILON = 1e-7


def _share(counts: tuple, name: str) -> Tensor:
    wrong, right = counts
    return ops.where(ops.greater(wrong + right, 0), ops.div(wrong, wrong + right), 0, name)


def _rate(
    title: str, wrongly: Callable, rightly: Callable, predictions: Any, labels: Any, *options: Any
) -> tuple[Tensor, Tensor]:
    weights, metrics_collections, updates_collections, name = options
    with variable_scope(name, title, (predictions, labels, weights)):
        predictions, labels, weights = as_bools(predictions, labels, weights)
        wrong, wrong_update = wrongly(labels, predictions, weights)
        right, right_update = rightly(labels, predictions, weights)
        value, update = value_and_update(_share, (wrong, right), (wrong_update, right_update))
        return collect(value, update, metrics_collections, updates_collections)


@arguments_of(streaming(false_positives))
def streaming_false_positive_rate(*args: Any) -> tuple[Tensor, Tensor]:
    """Computes the fraction of negatives predicted true; takes the arguments of `tf.metrics.precision`."""
    return _rate("false_positive_rate", false_positives, true_negatives, *args)


@arguments_of(streaming(false_positives))
def streaming_false_negative_rate(*args: Any) -> tuple[Tensor, Tensor]:
    """Computes the fraction of positives predicted false; takes the arguments of `tf.metrics.precision`."""
    return _rate("false_negative_rate", false_negatives, true_positives, *args)


def counts_above(
    predictions: Any,
    labels: Any,
    thresholds: Sequence[float],
    weights: Any = None,
    includes: Sequence[str] = ("tp", "fn", "tn", "fp"),
) -> tuple[Counts, Counts]:
    """Calls `sum_counts` with tensors whose ranks may differ by a dimension of size 1."""
    predictions, labels, weights = fit_operands(predictions, labels, weights)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return sum_counts(labels, predictions, thresholds, weights, includes)


def _confusion_counts(
    key: str, predictions: Any, labels: Any, thresholds: Any, weights: Any
) -> tuple:
    values, updates = counts_above(predictions, labels, thresholds, weights, (key,))
    return values[key], updates[key]


def streaming_true_positives_at_thresholds(
    predictions: TensorLike,
    labels: TensorLike,
    thresholds: Sequence[float],
    weights: TensorLike | None = None,
) -> tuple[Any, Tensor]:
    """Counts the true positives at each threshold; returns the local variable, and the op that adds a batch to it.

    Takes the arguments of `tf.metrics.true_positives_at_thresholds`; predictions may be any numbers.
    """
    return _confusion_counts("tp", predictions, labels, thresholds, weights)


@arguments_of(streaming_true_positives_at_thresholds)
def streaming_false_negatives_at_thresholds(*args: Any) -> tuple[Any, Tensor]:
    """Counts the false negatives at each threshold; see `streaming_true_positives_at_thresholds`."""
    return _confusion_counts("fn", *args)


@arguments_of(streaming_true_positives_at_thresholds)
def streaming_false_positives_at_thresholds(*args: Any) -> tuple[Any, Tensor]:
    """Counts the false positives at each threshold; see `streaming_true_positives_at_thresholds`."""
    return _confusion_counts("fp", *args)


@arguments_of(streaming_true_positives_at_thresholds)
def streaming_true_negatives_at_thresholds(*args: Any) -> tuple[Any, Tensor]:
    """Counts the true negatives at each threshold; see `streaming_true_positives_at_thresholds`."""
    return _confusion_counts("tn", *args)


def _rates(
    title: str, keys: tuple[str, str], predictions: Any, labels: Any, thresholds: Any, *options: Any
) -> tuple[Tensor, Tensor]:
    weights, metrics_collections, updates_collections, name = options
    full = {"fpr": "false_positive_rate", "fnr": "false_negative_rate"}[title]
    with variable_scope(name, full + "_at_thresholds", (predictions, labels, weights)):
        counts = counts_above(predictions, labels, thresholds, weights, keys)

        def rate(counts: Counts, name: str) -> Tensor:
            wrong, right = (counts[key] for key in keys)
            return ops.div(wrong, _EPSILON + wrong + right, name=f"{title}_{name}")

        value, update = value_and_update(rate, *counts)
        return collect(value, update, metrics_collections, updates_collections)


@arguments_of(streaming(precision_at_thresholds))
def streaming_false_positive_rate_at_thresholds(*args: Any) -> tuple[Tensor, Tensor]:
    """Computes the false positive rate at each threshold: the fraction of negatives predicted above it.

    Arguments and results as in `tf.metrics.precision_at_thresholds`.
    """
    return _rates("fpr", ("fp", "tn"), *args)


@arguments_of(streaming(precision_at_thresholds))
def streaming_false_negative_rate_at_thresholds(*args: Any) -> tuple[Tensor, Tensor]:
    """Computes the false negative rate at each threshold: the fraction of positives not predicted above it.

    Arguments and results as in `tf.metrics.precision_at_thresholds`.
    """
    return _rates("fnr", ("fn", "tp"), *args)


def precision_at_recall(
    labels: TensorLike,
    predictions: TensorLike,
    target_recall: float,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Computes the precision at the highest threshold that reaches a given recall.

    Args:
      labels, predictions, weights, num_thresholds: as in `tf.metrics.auc`.
      target_recall: the recall, from 0 to 1.
      metrics_collections, updates_collections, name: as in `tf.metrics.mean`.

    Returns:
      As in `tf.metrics.mean`.

    Raises:
      ValueError: if `target_recall` is outside [0, 1], or the shapes do not match.
    """
    if target_recall < 0 or target_recall > 1:
        raise ValueError("`target_recall` must be in the range [0, 1].")
    with variable_scope(name, "precision_at_recall", (predictions, labels, weights)):
        inner = [(i + 1) * 1.0 / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        limits = [0.0 - _EPSILON, *inner, 1.0 + _EPSILON]
        counts = counts_above(predictions, labels, limits, weights)

        def precision(counts: Counts, name: str) -> Tensor:
            positives, wrong = counts["tp"], counts["fp"]
            recalls = ops.div(positives, positives + counts["fn"] + _EPSILON)
            is_enough = ops.cast(ops.greater_equal(recalls, target_recall), "int64")
            position = ops.reduce_sum(is_enough) - 1
            right = positives[position] + _EPSILON
            return ops.div(right, positives[position] + wrong[position] + _EPSILON, name)

        value, update = value_and_update(precision, *counts)
        return collect(value, update, metrics_collections, updates_collections)


@arguments_of(auc, "curve", "summation_method", "thresholds")
def f1_score(
    labels: Any, predictions: Any, weights: Any, num_thresholds: int, *options: Any
) -> tuple[Tensor, Tensor]:
    """Computes the best F1 score, 2 * precision * recall / (precision + recall), over thresholds and batches so far.

    Arguments, results and errors as in `tf.metrics.auc`.
    """
    metrics_collections, updates_collections, name = options
    with variable_scope(name, "f1", (labels, predictions, weights)):
        predictions, labels, weights = fit_operands(predictions, labels, weights)
        inner = [(i + 1) * 1.0 / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        limits = [0.0 - _EPSILON, *inner, 1.0 + _EPSILON]
        keys = ("tp", "fp", "fn")
        values, updates = counts_at_thresholds(labels, predictions, limits, weights, keys)

        def best(counts: Counts, name: str) -> Tensor:
            right = counts["tp"]
            precision = ops.div(right, _EPSILON + right + counts["fp"], name="precision_" + name)
            recall = ops.div(right, _EPSILON + right + counts["fn"], name="recall_" + name)
            return ops.reduce_max(2.0 * precision * recall / (precision + recall + _EPSILON))

        value, update = best(values, "value"), best(updates, "update")
        return collect(value, update, metrics_collections, updates_collections)


def recall_at_precision(
    labels: TensorLike,
    predictions: TensorLike,
    precision: float,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
    strict_mode: bool = False,
) -> tuple[Tensor, Tensor]:
    """Computes the recall at the threshold whose precision is nearest to a given one.

    Args:
      labels, predictions, weights, num_thresholds: as in `tf.metrics.auc`.
      precision: the precision, from 0 to 1.
      metrics_collections, updates_collections, name: as in `tf.metrics.mean`.
      strict_mode: whether the precision must be reached; the result is 0 if it never is.

    Returns:
      As in `tf.metrics.mean`.

    Raises:
      ValueError: if `precision` is outside [0, 1], or the shapes do not match.
    """
    if not 0 <= precision <= 1:
        raise ValueError("`precision` must be in the range [0, 1].")
    with variable_scope(name, "recall_at_precision", (predictions, labels, weights)):
        inner = [i * 1.0 / (num_thresholds - 1) for i in range(1, num_thresholds - 1)]
        limits = [0.0 - _EPSILON, *inner, 1.0 + _EPSILON]
        counts = counts_above(predictions, labels, limits, weights)

        def recall(counts: Counts, name: str) -> Tensor:
            right, false_negatives = counts["tp"], counts["fn"]
            precisions = ops.div(right, right + counts["fp"] + _EPSILON)

            def at(position: Tensor) -> Tensor:
                return ops.div(
                    right[position], right[position] + false_negatives[position] + _EPSILON, name
                )

            if not strict_mode:
                distance = ops.abs(precisions - precision)
                return at(ops.argmin(distance, 0, output_type="int32"))
            nearness = ops.div(1.0, precisions - precision + _EPSILON)
            position = ops.argmax(nearness, 0, output_type="int32")
            return ops.cond(precisions[position] >= precision, lambda: at(position), lambda: 0.0)

        value, update = value_and_update(recall, *counts)
        return collect(value, update, metrics_collections, updates_collections)
