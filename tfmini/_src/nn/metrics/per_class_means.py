"""Metrics computed per class and averaged over the classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.metrics.state import collect, graph_mode_only, metric_variable
from tfmini._src.ops import ops
from tfmini._src.ops.math.confusion_matrix import confusion_matrix
from tfmini._src.variables.variable_scope import variable_scope


def _as_vector(tensor: Any) -> Any:
    return ops.reshape(tensor, [-1]) if tensor.get_shape().ndims > 1 else tensor


def sum_confusion_matrix(
    labels: Any, predictions: Any, num_classes: Any, weights: Any = None
) -> tuple[Any, Tensor]:
    """Returns the running confusion matrix, labels by predictions: the variable and the op that adds a batch to it."""
    shape = [num_classes, num_classes]
    total = metric_variable(shape, dtypes.float64, name="total_confusion_matrix")
    predictions = ops.cast(predictions, dtypes.int64)
    labels = ops.cast(labels, dtypes.int64)
    num_classes = ops.cast(num_classes, dtypes.int64)
    predictions, labels = _as_vector(predictions), _as_vector(labels)
    if weights is not None:
        weights = _as_vector(weights)
    batch = confusion_matrix(
        labels, predictions, num_classes, weights=weights, dtype=dtypes.float64
    )
    return total, ops.assign_add(total, batch)


@graph_mode_only("mean_iou")
def mean_iou(
    labels: Any,
    predictions: Any,
    num_classes: int,
    weights: TensorLike | None = None,
    metrics_collections: str | Sequence[str] | None = None,
    updates_collections: str | Sequence[str] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Computes intersection over union, correct / (labeled + predicted - correct), averaged over the classes.

    Args:
      labels, predictions: tensors of class indices of the same shape, of known rank.
      num_classes: number of classes.
      weights: None, or a tensor of that shape.
      metrics_collections, updates_collections, name: same as in `tf.metrics.mean`.

    Returns:
      (the current value, a float32 scalar; an op that adds the batch and returns the updated confusion matrix
      [num_classes, num_classes], float64).

    Raises:
      ValueError: if the shapes differ.
      InvalidArgumentError: when run, for indices outside the classes.
    """
    with variable_scope(name, "mean_iou", (predictions, labels, weights)):
        predictions.get_shape().assert_is_compatible_with(labels.get_shape())
        total, update = sum_confusion_matrix(labels, predictions, num_classes, weights)
        predicted = ops.cast(ops.reduce_sum(total, 0), dtypes.float32)
        labeled = ops.cast(ops.reduce_sum(total, 1), dtypes.float32)
        right = ops.cast(ops.diag_part(total), dtypes.float32)
        union = predicted + labeled - right
        count = ops.reduce_sum(ops.cast(ops.not_equal(union, 0), dtype=dtypes.float32))
        union = ops.where(ops.greater(union, 0), union, ops.ones_like(union))
        ratios = ops.div(right, union)
        is_any = ops.greater(count, 0)
        value = ops.where(is_any, ops.reduce_sum(ratios, name="mean_iou") / count, 0)
        return collect(value, update, metrics_collections, updates_collections)


@graph_mode_only("mean_per_class_accuracy")
@arguments_of(mean_iou)
def mean_per_class_accuracy(
    labels: Any, predictions: Any, num_classes: int, weights: Any, *options: Any
) -> tuple[Tensor, Tensor]:
    """Computes the accuracy within each class, averaged over the classes.

    Args:
      labels, predictions, num_classes, weights: same as in `tf.metrics.mean_iou`.
      metrics_collections, updates_collections: same as in `tf.metrics.mean`.
      name: the variable scope, by default "mean_accuracy".

    Returns:
      (the current value, a float32 scalar; an op that adds the batch and returns the updated accuracy of each class,
      [num_classes]).

    Raises:
      ValueError: if the shapes differ.
      InvalidArgumentError: when run, for labels outside the classes.
    """
    metrics_collections, updates_collections, name = options
    with variable_scope(name, "mean_accuracy", (predictions, labels, weights)):
        labels = _as_vector(ops.cast(labels, dtypes.int64))
        predictions = _as_vector(predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
        total = metric_variable([num_classes], dtypes.float32, name="total")
        count = metric_variable([num_classes], dtypes.float32, name="count")
        ones = ops.ones([ops.size(labels)], dtypes.float32)
        if labels.dtype != predictions.dtype:
            predictions = ops.cast(predictions, labels.dtype)
        is_right = ops.cast(ops.equal(predictions, labels), dtypes.float32)
        if weights is not None:
            weights = ops.cast(_as_vector(weights), dtypes.float32)
            is_right *= weights
            ones *= weights
        total_update = ops.scatter_add(total, labels, ones)
        count_update = ops.scatter_add(count, labels, is_right)
        shares = ops.div_no_nan(count, ops.maximum(total, 0))
        value = ops.reduce_mean(shares, name="mean_accuracy")
        counts = ops.maximum(total_update, 0)
        update = ops.div_no_nan(count_update, counts, name="update_op")
        return collect(value, update, metrics_collections, updates_collections)
