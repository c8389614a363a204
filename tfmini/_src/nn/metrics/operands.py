"""Labels, predictions and weights whose ranks differ by a dimension of size 1."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_sparse_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.math.confusion_matrix import remove_squeezable_dimensions


def fitted(predictions: Any, labels: Any, weights: Any) -> tuple[Tensor, Any, Any]:
    """The three as tensors of one rank; labels and weights may be None."""
    predictions = ops.convert_to_tensor(predictions)
    if labels is not None:
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
    if weights is None:
        return predictions, labels, None
    return predictions, labels, _weights_of_rank(ops.convert_to_tensor(weights), predictions)


def _weights_of_rank(weights: Tensor, values: Tensor) -> Tensor:
    """Weights, a dimension of size 1 at the end removed or added where that gives the values' rank."""
    dims, values_dims = weights._dims, values._dims
    if dims == ():
        return weights
    if dims is not None and values_dims is not None:
        if len(dims) - len(values_dims) == 1:
            return ops.squeeze(weights, [-1])
        if len(values_dims) - len(dims) == 1:
            return ops.expand_dims(weights, [-1])
        return weights
    rank = ops.rank(weights)
    more = rank - ops.rank(values)

    def expanded() -> Tensor:
        is_one_less = ops.equal(more, -1)
        return ops.cond(is_one_less, lambda: ops.expand_dims(weights, [-1]), lambda: weights)

    def squeezed() -> Tensor:
        is_wide = dims is not None and dims[-1] not in (None, 1)
        return weights if is_wide else ops.squeeze(weights, [-1])

    def adjusted() -> Tensor:
        return ops.cond(ops.equal(more, 1), squeezed, expanded)

    return ops.cond(ops.equal(rank, 0), lambda: weights, adjusted)


def as_bools(predictions: Any, labels: Any, weights: Any) -> tuple[Tensor, Tensor, Any]:
    """`fitted`, of predictions and labels as booleans."""
    predictions = ops.cast(predictions, dtypes.bool)
    labels = ops.cast(labels, dtypes.bool)
    return fitted(predictions, labels, weights)


def with_last_dimension(labels: Any, predictions: Any) -> Any:
    """Labels, with a dimension of size 1 appended if they have one dimension less than the predictions."""
    with name_scope(None, "expand_labels", (labels, predictions)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):

            def reshaped() -> SparseTensor:
                shape = ops.concat((labels.dense_shape, (1,)), 0)
                return ops.sparse_reshape(labels, shape=shape, name=scope)

            is_less = ops.equal(ops.rank(predictions), ops.size(labels.dense_shape) + 1)
            return ops.cond(is_less, reshaped, lambda: labels)
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
