"""Fraction of correct predictions."""

from __future__ import annotations

from tfmini._src.base import dtypes
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def accuracy(
    predictions: Tensor, labels: Tensor, weights: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Returns the fraction of predictions that equal their labels, for a single batch.

    Args:
      predictions, labels: int, bool or string tensors of the same dtype and shape.
      weights: None, or a tensor that broadcasts to them.

    Returns:
      A float32 scalar.

    Raises:
      ValueError: if dtypes or shapes differ.
    """
    if not (labels.dtype.is_integer or labels.dtype in (dtypes.bool, dtypes.string)):
        raise ValueError(f"Labels should have bool, integer, or string dtype, not {labels.dtype!r}")
    if not labels.dtype.is_compatible_with(predictions.dtype):
        raise ValueError(
            "Dtypes of predictions and labels should match. Given: "
            f"predictions ({predictions.dtype!r}) and labels ({labels.dtype!r})"
        )
    with name_scope(name, "accuracy", [predictions, labels]):
        is_right = ops.cast(ops.equal(predictions, labels), dtypes.float32)
        if weights is None:
            return ops.reduce_mean(is_right)
        is_right = ops.multiply(is_right, weights)
        total_weight = ops.multiply(weights, ops.ones_like(is_right))
        return ops.div(ops.reduce_sum(is_right), ops.reduce_sum(total_weight))
