"""Alignment of labels, predictions and weights whose ranks differ by a dimension of size 1."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_sparse_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.math.confusion_matrix import remove_squeezable_dimensions
from tfmini._src.ops.math.weights_of_rank import weights_of_rank


def fit_operands(predictions: Any, labels: Any, weights: Any) -> tuple[Tensor, Any, Any]:
    """Converts the operands to tensors of the same rank; labels and weights may be None."""
    predictions = ops.convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
    if weights is None:
        return predictions, labels, None
    weights = ops.convert_to_tensor(weights)
    return predictions, labels, weights_of_rank(weights, predictions, squeezes_wide=False)


def as_bools(predictions: Any, labels: Any, weights: Any) -> tuple[Tensor, Tensor, Any]:
    """Same as `fit_operands`, but casts predictions and labels to bool."""
    predictions = ops.cast(predictions, dtypes.bool)
    labels = ops.cast(labels, dtypes.bool)
    return fit_operands(predictions, labels, weights)


def append_last_dimension(labels: Any, predictions: Any) -> Any:
    """Appends a dimension of size 1 to labels whose rank is one less than the rank of the predictions."""
    with name_scope(None, "expand_labels", (labels, predictions)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):

            def reshape() -> SparseTensor:
                shape = ops.concat((labels.dense_shape, (1,)), 0)
                return ops.sparse_reshape(labels, shape=shape, name=scope)

            is_less = ops.equal(ops.rank(predictions), ops.size(labels.dense_shape) + 1)
            return ops.cond(is_less, reshape, lambda: labels)
        if labels._dims is not None and predictions._dims is not None:
            difference = len(predictions._dims) - len(labels._dims)
            if difference == 0:
                return labels
            if difference == 1:
                return ops.expand_dims(labels, -1, name=scope)
            raise ValueError(
                f"Unexpected labels shape {labels.shape} for predictions shape {predictions.shape}."
            )
        is_less = ops.equal(ops.rank(predictions), ops.rank(labels) + 1)
        return ops.cond(is_less, lambda: ops.expand_dims(labels, -1, name=scope), lambda: labels)
