"""Areas under curves with each prediction as a threshold, which requires storing all predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.metrics.streaming_concat import streaming_concat
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.metrics.operands import fit_operands
from tfmini._src.nn.metrics.state import collect
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope


def zero_or_one(labels: Tensor) -> list:
    """Returns assertions that int64 labels are 0 or 1."""
    return [
        ops.assert_greater_equal(
            labels,
            ops.zeros_like(labels, dtypes.int64),
            message="labels must be 0 or 1, at least one is <0",
        ),
        ops.assert_less_equal(
            labels,
            ops.ones_like(labels, dtypes.int64),
            message="labels must be 0 or 1, at least one is >1",
        ),
    ]


def _mask_weights(condition: Tensor, weights: Tensor, labels: Tensor) -> Tensor:
    """Returns the weights where the condition holds, else 0, float64."""
    return ops.where(condition, weights, ops.zeros_like(labels, dtype=dtypes.float64))


def _sum_before(splits: Tensor, weights: Tensor) -> Tensor:
    """Returns the sum of the weights before each split."""
    return ops.gather(ops.pad(ops.cumsum(weights), paddings=[[1, 0]]), splits)


def _area(labels: Any, predictions: Any, curve: str, weights: Any) -> Tensor:
    """Returns the area under the curve, float64; 0 if all labels are equal."""
    size = ops.size(predictions)
    if weights is None:
        weights = ops.ones_like(labels, dtype=dtypes.float64)
    labels, predictions, weights = fit_operands(labels, predictions, weights)
    total = ops.reduce_sum(weights)
    positive = ops.reduce_sum(_mask_weights(ops.greater(labels, 0), weights, labels))

    def area() -> Tensor:
        sorted_predictions, order = ops.top_k(predictions, k=size)
        sorted_labels, sorted_weights = ops.gather(labels, order), ops.gather(weights, order)
        _, _, counts = ops.unique_with_counts(sorted_predictions)
        splits = ops.cast(ops.pad(ops.cumsum(counts), paddings=[[1, 0]]), dtypes.int32)
        true_weights = _mask_weights(ops.greater(sorted_labels, 0), sorted_weights, sorted_labels)
        true_positives = _sum_before(splits, true_weights)
        if curve == "ROC":
            false_weights = _mask_weights(ops.less(sorted_labels, 1), sorted_weights, sorted_labels)
            false_positives = _sum_before(splits, false_weights)
            x = ops.truediv(false_positives, total - positive)
            y = ops.truediv(true_positives, positive)
        else:
            x = ops.truediv(true_positives, positive)
            totals = _sum_before(splits, sorted_weights)
            y = ops.where(
                ops.greater(splits, 0),
                ops.truediv(true_positives, totals),
                ops.ones_like(true_positives, dtype=dtypes.float64),
            )
        heights = ops.add(y[1:], y[:-1]) / 2.0
        widths = ops.abs(ops.subtract(x[1:], x[:-1]))
        return ops.reduce_sum(ops.multiply(heights, widths))

    is_single_class = ops.logical_or(ops.equal(positive, 0), ops.equal(positive, total))
    return ops.cond(is_single_class, true_fn=lambda: ops.constant(0, dtypes.float64), false_fn=area)


def streaming_dynamic_auc(
    labels: Tensor,
    predictions: Tensor,
    curve: str = "ROC",
    metrics_collections: str | Sequence[str] | None = (),
    updates_collections: str | Sequence[str] | None = (),
    name: str | None = None,
    weights: TensorLike | None = None,
) -> tuple[Tensor, Any]:
    """Computes the area under a curve over all batches so far, with each prediction as a threshold.

    Args:
      labels: a tensor of 0 and 1, of any shape.
      predictions: a numeric tensor of the same shape.
      curve: "ROC", or "PR" for precision against recall.
      metrics_collections, updates_collections, name: as in `tf.metrics.mean`.
      weights: None, or a non-negative numeric tensor of the same shape.

    Returns:
      The area, a float64 scalar, 0 if all labels are equal; and the operation that adds a batch.

    Raises:
      ValueError: for an unknown curve, or incompatible shapes.
      InvalidArgumentError (at run time): for any other labels.
    """
    if curve not in ("PR", "ROC"):
        raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
    with variable_scope(name, default_name="dynamic_auc"):
        labels.shape.assert_is_compatible_with(predictions.shape)
        predictions = ops.reshape(ops.cast(predictions, dtypes.float64), [-1])
        labels = ops.reshape(ops.cast(labels, dtypes.int64), [-1])
        with control_dependencies(zero_or_one(labels)):
            kept_predictions, add_predictions = streaming_concat(predictions, name="concat_preds")
            kept_labels, add_labels = streaming_concat(labels, name="concat_labels")
            kept_weights, updates = None, [add_labels, add_predictions]
            if weights is not None:
                weights = ops.reshape(ops.cast(weights, dtypes.float64), [-1])
                kept_weights, add_weights = streaming_concat(weights, name="concat_weights")
                updates.append(add_weights)
            update = ops.group(*updates)
            area = _area(kept_labels, kept_predictions, curve, kept_weights)
            return collect(area, update, metrics_collections, updates_collections)
