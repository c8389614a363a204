"""Confusion matrices, and removal of a trailing size-1 dimension from labels or predictions."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def _may_be_one(dims: tuple | None) -> bool:
    return dims is None or dims[-1] in (None, 1)


@public
def remove_squeezable_dimensions(
    labels: Any, predictions: Any, expected_rank_diff: int = 0, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Removes the trailing dimension of labels or predictions if that makes their ranks match.

    Args:
      labels, predictions: tensors; only a dimension of size 1 is removed.
      expected_rank_diff: the expected rank of the predictions minus the rank of the labels.
    """
    with name_scope(name, "remove_squeezable_dimensions", [labels, predictions]):
        predictions = ops.convert_to_tensor(predictions)
        labels = ops.convert_to_tensor(labels)
        predictions_dims, labels_dims = predictions._dims, labels._dims
        if predictions_dims is not None and labels_dims is not None:
            difference = len(predictions_dims) - len(labels_dims)
            if difference == expected_rank_diff + 1:
                predictions = ops.squeeze(predictions, [-1])
            elif difference == expected_rank_diff - 1:
                labels = ops.squeeze(labels, [-1])
            return labels, predictions
        rank_difference = ops.rank(predictions) - ops.rank(labels)
        if _may_be_one(predictions_dims):
            whole_predictions = predictions
            predictions = ops.cond(
                ops.equal(expected_rank_diff + 1, rank_difference),
                lambda: ops.squeeze(whole_predictions, [-1]),
                lambda: whole_predictions,
            )
        if _may_be_one(labels_dims):
            whole_labels = labels
            labels = ops.cond(
                ops.equal(expected_rank_diff - 1, rank_difference),
                lambda: ops.squeeze(whole_labels, [-1]),
                lambda: whole_labels,
            )
        return labels, predictions


def _checked_below(tensor: Tensor, limit: Tensor, name: str) -> Tensor:
    check = ops.assert_less(tensor, limit, message=f"`{name}` out of bound")
    return ops.with_dependencies([check], tensor)


def _not_negative(tensor: Tensor, name: str) -> Tensor:
    check = ops.assert_non_negative(tensor, message=f"`{name}` contains negative values")
    return ops.with_dependencies([check], tensor)


@public
def confusion_matrix(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: TensorLike | None = None,
    dtype: DTypeLike = dtypes.int32,
    name: str | None = None,
    weights: TensorLike | None = None,
) -> Tensor:
    """Computes a confusion matrix, the number of examples for each pair of label and predicted class.

    Args:
      labels, predictions: [n] tensors of non-negative class indices.
      num_classes: the number of classes; by default the largest class index plus one.
      dtype: the dtype of the counts.
      weights: [n] tensor, the weight of each pair; 1 by default.

    Returns:
      [num_classes, num_classes] Tensor with one row per label.

    Raises:
      InvalidArgumentError (when run): if a class index is negative or not less than `num_classes`.
      ValueError: if the shapes differ.

    Example: `tf.math.confusion_matrix([1, 2, 2], [1, 0, 2])` is `[[0, 0, 0], [0, 1, 0], [1, 0, 1]]`.
    """
    inputs = (predictions, labels, num_classes, weights)
    with name_scope(name, "confusion_matrix", inputs) as name:
        labels, predictions = remove_squeezable_dimensions(
            ops.convert_to_tensor(labels, name="labels"),
            ops.convert_to_tensor(predictions, name="predictions"),
        )
        predictions = ops.cast(predictions, dtypes.int64)
        labels = ops.cast(labels, dtypes.int64)
        labels = _not_negative(labels, "labels")
        predictions = _not_negative(predictions, "predictions")
        if num_classes is None:
            largest = ops.maximum(ops.reduce_max(predictions), ops.reduce_max(labels))
            num_classes = largest + 1
        else:
            limit = ops.cast(num_classes, dtypes.int64)
            labels = _checked_below(labels, limit, "labels")
            predictions = _checked_below(predictions, limit, "predictions")
        if weights is not None:
            weights = ops.convert_to_tensor(weights, name="weights")
            predictions.shape.assert_is_compatible_with(weights.shape)
            weights = ops.cast(weights, dtype)
        shape = ops.stack([num_classes, num_classes])
        positions = ops.stack([labels, predictions], axis=1)
        counts = ops.ones_like(predictions, dtype) if weights is None else weights
        dense_shape = ops.cast(shape, dtypes.int64)
        sparse = SparseTensor(indices=positions, values=counts, dense_shape=dense_shape)
        zeros = ops.zeros(ops.cast(shape, dtypes.int32), dtype)
        total: Any = ops.sparse_add(zeros, sparse)
        return total
