"""Area under the ROC curve with a confidence interval.

E. DeLong, D. DeLong and D. Clarke-Pearson, "Comparing the areas under two or more correlated receiver operating
characteristic curves", Biometrics 1988; X. Sun and W. Xu, IEEE Signal Processing Letters 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.contrib.metrics.streaming_concat import streaming_concat
from tfmini._src.contrib.metrics.streaming_dynamic_auc import zero_or_one
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.metrics.operands import fit_operands
from tfmini._src.nn.metrics.state import collect
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.normal import Normal
from tfmini._src.variables.variable_scope import variable_scope

_EPSILON = 1e-7


class AucData(NamedTuple):
    """An area under a curve and the bounds of its confidence interval."""

    auc: Any
    lower: Any
    upper: Any


def _interval(
    labels: Tensor, predictions: Tensor, weights: Tensor, alpha: float, logit: bool, valid: Tensor
) -> AucData:
    size = ops.size(predictions, out_type=dtypes.int32)
    total_0 = ops.reduce_sum(ops.cast(1 - labels, weights.dtype) * weights)
    total_1 = ops.reduce_sum(ops.cast(labels, weights.dtype) * weights)
    ordered, order = ops.top_k(predictions, k=size, sorted=True)
    ordered = ops.reverse(ordered, axis=ops.zeros(1, dtypes.int32))
    order = ops.reverse(order, axis=ops.zeros(1, dtypes.int32))
    labels, weights = ops.gather(labels, order), ops.gather(weights, order)
    _, group = ops.unique(ordered)
    is_true = ops.cast(labels, dtypes.float32)
    is_false = 1.0 - is_true
    weight_true, weight_false = weights * is_true, weights * is_false
    summed_false = ops.segment_sum(weight_false, group)
    summed_true = ops.segment_sum(weight_true, group)
    below_false = ops.cumsum(summed_false, exclusive=True)
    below_true = ops.cumsum(summed_true, exclusive=True)
    true_placements = (below_false + summed_false / 2.0) / (ops.reduce_sum(summed_false) + _EPSILON)
    false_placements = (below_true + summed_true / 2.0) / (ops.reduce_sum(summed_true) + _EPSILON)
    true_placements, false_placements = (
        ops.gather(true_placements, group),
        ops.gather(false_placements, group),
    )
    placements = true_placements * is_true + false_placements * is_false
    placements_0 = placements * ops.cast(1 - labels, weights.dtype)
    weights_0 = weights * ops.cast(1 - labels, weights.dtype)
    placements_1 = placements * ops.cast(labels, weights.dtype)
    weights_1 = weights * ops.cast(labels, weights.dtype)

    auc_0 = ops.reduce_sum(weights_0 * (1.0 - placements_0)) / (total_0 + _EPSILON)
    auc_1 = ops.reduce_sum(weights_1 * placements_1) / (total_1 + _EPSILON)
    auc = ops.where(ops.less(total_0, total_1), auc_1, auc_0)
    variance_0 = ops.reduce_sum(weights_0 * ops.square(1.0 - placements_0 - auc_0)) / (
        total_0 - 1.0 + _EPSILON
    )
    variance_1 = ops.reduce_sum(weights_1 * ops.squared_difference(placements_1, auc_1)) / (
        total_1 - 1.0 + _EPSILON
    )
    error = ops.sqrt((variance_0 / (total_0 + _EPSILON)) + (variance_1 / (total_1 + _EPSILON)))
    lower, upper = _bounds(auc, error, alpha, logit)
    lower, upper = (ops.where(_is_degenerate(auc), auc, bound) for bound in (lower, upper))
    zero = ops.constant(0.0)
    return AucData(*ops.cond(valid, lambda: [auc, lower, upper], lambda: [zero] * 3))


def _is_degenerate(auc: Tensor) -> Tensor:
    """Whether the area is 0 or 1, where no interval exists."""
    return ops.logical_or(ops.equal(auc, ops.ones_like(auc)), ops.equal(auc, ops.zeros_like(auc)))


def _bounds(auc: Tensor, error: Tensor, alpha: float, logit: bool) -> tuple[Tensor, Tensor]:
    """Returns the bounds of the interval, for a normal distribution of the area or its logit."""
    quantile = Normal(loc=0.0, scale=1.0).quantile((1.0 - alpha) / 2.0)
    if not logit:
        return auc + (quantile * error), auc - (quantile * error)
    estimate = ops.log(auc / (1.0 - auc + _EPSILON))
    error = error / (auc * (1.0 - auc + _EPSILON))
    lower, upper = estimate + (quantile * error), estimate - (quantile * error)

    def from_logit(x: Tensor) -> Tensor:
        return 1.0 / (1.0 + ops.exp(ops.negative(x)) + _EPSILON)

    return from_logit(lower), from_logit(upper)


def auc_with_confidence_intervals(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike | None = None,
    alpha: float = 0.95,
    logit_transformation: bool = True,
    metrics_collections: Sequence[str] = (),
    updates_collections: Sequence[str] = (),
    name: str | None = None,
) -> tuple[AucData, Any]:
    """Computes the area under the ROC curve over all batches so far, with a confidence interval of level `alpha`.

    Args:
      labels: a tensor of 0 and 1.
      predictions: a float tensor of the same shape.
      weights: None, or a non-negative float32 tensor of the same shape.
      alpha: confidence level, between 0 and 1.
      logit_transformation: whether to assume a normal distribution of the area's logit, which keeps the interval in
        [0, 1], instead of the area itself.
      metrics_collections, updates_collections, name: as in `tf.metrics.mean`.

    Returns:
      A named tuple (auc, lower, upper) of float32 scalars, 0 if all labels are equal; and the operation that adds a
      batch, if the sum of its weights is at least 1.

    Raises:
      ValueError: for an `alpha` out of range, or incompatible shapes.
      InvalidArgumentError (at run time): for any other labels.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must be between 0 and 1; currently {alpha:.02f}")
    if weights is None:
        weights = ops.ones_like(predictions)
    with variable_scope(
        name, default_name="auc_with_confidence_intervals", values=[labels, predictions, weights]
    ):
        predictions, labels, weights = fit_operands(predictions, labels, weights)
        total = ops.reduce_sum(weights)
        weights = ops.reshape(weights, [-1])
        predictions = ops.reshape(ops.cast(predictions, dtypes.float64), [-1])
        labels = ops.reshape(ops.cast(labels, dtypes.int64), [-1])
        with control_dependencies(zero_or_one(labels)):
            kept_predictions, add_predictions = streaming_concat(predictions, name="concat_preds")
            kept_labels, add_labels = streaming_concat(labels, name="concat_labels")
            kept_weights, add_weights = streaming_concat(weights, name="concat_weights")
            add_all = ops.group(add_labels, add_predictions, add_weights)
            has_both_classes = ops.logical_and(
                ops.equal(ops.reduce_min(labels), 0), ops.equal(ops.reduce_max(labels), 1)
            )
            has_weight = ops.greater_equal(total, 1.0)
            valid = ops.logical_and(has_both_classes, has_weight)
            update = ops.cond(has_weight, lambda: add_all, ops.no_op)
            areas = _interval(
                kept_labels, kept_predictions, kept_weights, alpha, logit_transformation, valid
            )
            return collect(areas, update, metrics_collections, updates_collections)
