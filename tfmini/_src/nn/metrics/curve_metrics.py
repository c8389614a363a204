"""Metrics of curves over thresholds: the area under the curve, and one rate at a specified value of the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tfmini._src.base import dtypes, logs
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.metrics.metrics_at_thresholds import Counts, counts_at_thresholds
from tfmini._src.nn.metrics.state import collect, graph_mode_only, value_and_update
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope

_OFFSET = 1e-7  # offset of the first threshold below 0 and of the last above 1
_EPSILON = 1e-6


def _even_thresholds(count: int) -> list[float]:
    """Returns `count` evenly spaced thresholds on [0, 1] except for the first and the last."""
    return [(index + 1) * 1.0 / (count - 1) for index in range(count - 2)]


@graph_mode_only("auc")
def auc(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    curve: str = "ROC",
    name: str | None = None,
    summation_method: str = "trapezoidal",
    thresholds: Sequence[float] | None = None,
) -> tuple[Tensor, Tensor]:
    """Approximates the area under a curve at discrete thresholds, over all batches so far.

    Args:
      labels: a tensor of any shape, which is cast to bool.
      predictions: a float tensor of the same shape, from 0 to 1.
      weights, metrics_collections, updates_collections, name: same as in `tf.metrics.mean`.
      num_thresholds: number of evenly spaced thresholds.
      curve: "ROC", true positive rate over false positive rate, or "PR", precision over recall.
      summation_method: "trapezoidal"; "careful_interpolation", which is correct for "PR"; "minoring" and
        "majoring", lower and upper bounds.
      thresholds: explicit thresholds, floats.

    Returns:
      Same as `tf.metrics.mean`.

    Raises:
      ValueError: for an unknown curve or method, or if the shapes are incompatible.
      InvalidArgumentError: when run, if a prediction is outside [0, 1].

    J. Davis and M. Goadrich, "The relationship between precision-recall and ROC curves", ICML 2006.
    """
    with variable_scope(name, "auc", (labels, predictions, weights)):
        if curve != "ROC" and curve != "PR":
            raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
        inner = _even_thresholds(num_thresholds) if thresholds is None else sorted(thresholds)
        limits = [0.0 - _OFFSET, *inner, 1.0 + _OFFSET]
        count = num_thresholds if thresholds is None else len(limits)
        counts = counts_at_thresholds(labels, predictions, limits, weights)

        def area(counts: Counts, name: str) -> Tensor:
            if curve == "PR" and summation_method == "careful_interpolation":
                return _interpolated_area(counts, count - 1)
            if curve == "PR" and summation_method == "trapezoidal":
                logs.warning(
                    "Trapezoidal rule is known to produce incorrect PR-AUCs; "
                    'please switch to "careful_interpolation" instead.'
                )
            rates = _rates(counts, curve)
            return _area(*rates, count - 1, summation_method, name)

        value, update = value_and_update(area, *counts)
        return collect(value, update, metrics_collections, updates_collections)


def _rates(counts: Counts, curve: str) -> tuple[Tensor, Tensor]:
    """Returns the x and y coordinates of the curve at all thresholds."""
    right, false_negatives, wrong = counts["tp"], counts["fn"], counts["fp"]
    recall = ops.div(right + _EPSILON, right + false_negatives + _EPSILON)
    if curve == "ROC":
        return ops.div(wrong, wrong + counts["tn"] + _EPSILON), recall
    return recall, ops.div(right + _EPSILON, right + wrong + _EPSILON)


def _area(x: Tensor, y: Tensor, count: int, method: str, name: str) -> Tensor:
    """Returns the sum of width times height over `count` intervals."""
    heights: dict[str, Callable] = {
        "trapezoidal": lambda: (y[:count] + y[1:]) / 2.0,
        "careful_interpolation": lambda: (y[:count] + y[1:]) / 2.0,
        "minoring": lambda: ops.minimum(y[:count], y[1:]),
        "majoring": lambda: ops.maximum(y[:count], y[1:]),
    }
    if method not in heights:
        raise ValueError(f"Invalid summation_method: {method}")
    widths = x[:count] - x[1:]
    return ops.reduce_sum(ops.multiply(widths, heights[method]()), name=name)


def _interpolated_area(counts: Counts, count: int) -> Tensor:
    """Returns the area under precision over recall; true positives are interpolated linearly in positives."""
    right, wrong, false_negatives = counts["tp"], counts["fp"], counts["fn"]
    gained = right[:count] - right[1:]
    predicted = right + wrong
    growth = ops.maximum(predicted[:count] - predicted[1:], 0)
    slope = ops.div_no_nan(gained, growth, name="prec_slope")
    intercept = right[1:] - ops.multiply(slope, predicted[1:])
    are_positive = ops.logical_and(predicted[:count] > 0, predicted[1:] > 0)
    ratio = ops.div_no_nan(
        predicted[:count], ops.maximum(predicted[1:], 0), name="recall_relative_ratio"
    )
    ratio = ops.where(are_positive, ratio, ops.ones_like(predicted[1:]))
    increments = ops.div_no_nan(
        slope * (gained + intercept * ops.log(ratio)),
        ops.maximum(right[1:] + false_negatives[1:], 0),
        name="pr_auc_increment",
    )
    return ops.reduce_sum(increments, name="interpolate_pr_auc")


@graph_mode_only("sensitivity_at_specificity")
def sensitivity_at_specificity(
    labels: TensorLike,
    predictions: TensorLike,
    specificity: float,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the true positive rate at the threshold whose true negative rate is nearest to `specificity`.

    Args:
      labels, predictions, weights, num_thresholds: same as in `tf.metrics.auc`.
      specificity: the true negative rate, from 0 to 1.
      metrics_collections, updates_collections, name: same as in `tf.metrics.mean`.

    Returns:
      Same as `tf.metrics.mean`.

    Raises:
      ValueError: if `specificity` is outside [0, 1], or the shapes do not match.
      InvalidArgumentError: when run, if a prediction is outside [0, 1].
    """
    if specificity < 0 or specificity > 1:
        raise ValueError("`specificity` must be in the range [0, 1].")
    with variable_scope(name, "sensitivity_at_specificity", (predictions, labels, weights)):
        limits = [0.0 - _OFFSET, *_even_thresholds(num_thresholds), 1.0 + _OFFSET]
        counts = counts_at_thresholds(labels, predictions, limits, weights)

        def sensitivity(counts: Counts, name: str) -> Tensor:
            positives, false_negatives, rejected = counts["tp"], counts["fn"], counts["tn"]
            rates = ops.div(rejected, rejected + counts["fp"] + _OFFSET)
            position = ops.argmin(ops.abs(rates - specificity), 0)
            position = ops.cast(position, dtypes.int32)
            return ops.div(
                positives[position], positives[position] + false_negatives[position] + _OFFSET, name
            )

        value, update = value_and_update(sensitivity, *counts)
        return collect(value, update, metrics_collections, updates_collections)


@graph_mode_only("specificity_at_sensitivity")
def specificity_at_sensitivity(
    labels: TensorLike,
    predictions: TensorLike,
    sensitivity: float,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Sequence[str] | None = None,
    updates_collections: Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns the true negative rate at the last threshold whose true positive rate is nearest to `sensitivity`.

    Args:
      sensitivity: the true positive rate, from 0 to 1.
      all other arguments: same as in `tf.metrics.sensitivity_at_specificity`.

    Returns:
      Same as `tf.metrics.mean`.

    Raises:
      ValueError: if `sensitivity` is outside [0, 1], or the shapes do not match.
      InvalidArgumentError: when run, if a prediction is outside [0, 1].
    """
    if sensitivity < 0 or sensitivity > 1:
        raise ValueError("`sensitivity` must be in the range [0, 1].")
    with variable_scope(name, "specificity_at_sensitivity", (predictions, labels, weights)):
        limits = [0.0 - _OFFSET, *_even_thresholds(num_thresholds), 1.0 - _OFFSET]
        counts = counts_at_thresholds(labels, predictions, limits, weights)

        def specificity(counts: Counts, name: str) -> Tensor:
            positives, rejected, wrong = counts["tp"], counts["tn"], counts["fp"]
            rates = ops.div(positives, positives + counts["fn"] + _OFFSET)
            min_difference = ops.reduce_min(ops.abs(rates - sensitivity))
            are_nearest = ops.equal(ops.abs(rates - sensitivity), min_difference)
            order = ops.cumsum(ops.cast(are_nearest, dtypes.int64))
            position = ops.cast(ops.argmax(order, 0), dtypes.int32)
            return ops.div(rejected[position], rejected[position] + wrong[position] + _OFFSET, name)

        value, update = value_and_update(specificity, *counts)
        return collect(value, update, metrics_collections, updates_collections)
