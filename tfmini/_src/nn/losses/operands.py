"""Preparation of the operands of losses: rejects None, casts to float, removes a last dimension of size 1."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.math.confusion_matrix import remove_squeezable_dimensions


def check_not_none(**operands: Any) -> None:
    """Raises ValueError for the first operand that is None."""
    for name, operand in operands.items():
        if operand is None:
            raise ValueError(f"{name} must not be None.")


def as_floats(predictions: Any, labels: Any) -> tuple[Tensor, Tensor]:
    """Converts both operands to float32 tensors with compatible static shapes."""
    predictions = ops.cast(predictions, dtypes.float32)
    labels = ops.cast(labels, dtypes.float32)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return predictions, labels


def drop_last_dimension(
    labels: Any, predictions: Any, weights: Any, expected_rank_diff: int = 0
) -> tuple[Tensor, Tensor, Any]:
    """Removes a superfluous last dimension of size 1 from labels, predictions and weights.

    Args:
      labels, predictions: tensors.
      weights: a tensor, or None.
      expected_rank_diff: the expected rank of the predictions minus the rank of the labels.
    """
    labels, predictions = remove_squeezable_dimensions(labels, predictions, expected_rank_diff)
    if weights is None:
        return labels, predictions, None
    weights = ops.convert_to_tensor(weights)
    labels_dims, dims = labels._dims, weights._dims
    if labels_dims is not None and dims is not None:
        if len(dims) - len(labels_dims) == 1:
            weights = ops.squeeze(weights, [-1])
        return labels, predictions, weights
    rank_difference = ops.rank(weights) - ops.rank(labels)
    if dims is None or (dims and dims[-1] in (None, 1)):
        full = weights
        weights = ops.cond(
            ops.equal(1, rank_difference), lambda: ops.squeeze(full, [-1]), lambda: full
        )
    return labels, predictions, weights
