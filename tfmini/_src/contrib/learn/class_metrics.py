"""Head metrics: means and areas under curves, over all classes or for one."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.nn.metrics.curve_metrics import auc
from tfmini._src.nn.metrics.running_means import mean
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_weights import broadcast_weights


def class_mean(values: Any, weights: Any, class_id: int | None = None) -> tuple:
    """Returns the weighted mean of values, [batch, classes], over all classes or for one."""
    values = ops.cast(values, dtypes.float32)
    if weights is not None:
        weights = broadcast_weights(weights, values)
    values, weights = _select_class(values, weights, class_id)
    return mean(values, weights)


def class_auc(
    predictions: Any, labels: Any, weights: Any, curve: str, class_id: int | None = None
) -> tuple:
    """Returns the area under a curve for predictions, [batch, classes], over all classes or for one."""
    predictions = ops.cast(predictions, dtypes.float32)
    if labels.dtype.base_dtype != dtypes.bool:
        logs.warning("Casting %s labels to bool.", labels.dtype)
        labels = ops.cast(labels, dtypes.bool)
    if weights is not None:
        weights = broadcast_weights(weights, predictions)
    predictions, weights = _select_class(predictions, weights, class_id)
    if class_id is not None:
        labels = labels[:, class_id]
    return auc(labels, predictions, weights, curve=curve)


def class_frequency(ids: Any, weights: Any, class_id: int) -> tuple:
    """Returns the weighted fraction of a class among class ids, in the dtype of the ids."""
    expected = ops.cast(class_id, dtypes.int32)
    is_class = ops.equal(expected, ops.cast(ids, dtypes.int32))
    return mean(ops.where(is_class, ops.ones_like(ids), ops.zeros_like(ids)), weights=weights)


def _select_class(values: Any, weights: Any, class_id: int | None) -> tuple[Any, Any]:
    if class_id is None:
        return values, weights
    if weights is not None:
        weights = weights[:, class_id]
    return values[:, class_id], weights


def checked_class_ids(class_ids: Any, n_classes: int) -> tuple[int, ...]:
    """Returns class ids as a tuple; raises ValueError if one is out of range."""
    ids = tuple(class_ids or ())
    for class_id in ids:
        if not 0 <= class_id < n_classes:
            raise ValueError(f"Class ID {class_id} not in [0, {n_classes}).")
    return ids
