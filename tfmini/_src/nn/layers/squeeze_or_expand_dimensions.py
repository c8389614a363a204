"""Alignment of targets, predictions and weights whose ranks differ by a dimension of size 1."""

from __future__ import annotations

from typing import Any

from tfmini._src.ops import ops
from tfmini._src.ops.math.weights_of_rank import weights_of_rank


def squeeze_or_expand_dimensions(
    y_pred: Any, y_true: Any = None, sample_weight: Any = None
) -> tuple:
    """Converts predictions and targets to the same rank, and weights to the rank of the predictions or to a scalar.

    Args:
      y_pred: a tensor.
      y_true: a tensor or None.
      sample_weight: a tensor, a number or None.

    Returns:
      (y_pred, y_true), or (y_pred, y_true, weights) with weights.
    """
    original_pred = y_pred
    if y_true is not None:
        y_true, y_pred = _to_one_rank(y_pred, y_true)
    if sample_weight is None:
        return y_pred, y_true
    weights = ops.convert_to_tensor(sample_weight)
    are_ranks_known = None not in (weights.shape.ndims, original_pred.shape.ndims)
    return y_pred, y_true, weights_of_rank(weights, original_pred if are_ranks_known else y_pred)


def _to_one_rank(y_pred: Any, y_true: Any) -> tuple:
    """Returns (y_true, y_pred) with the same rank."""
    ranks = y_true.shape.ndims, y_pred.shape.ndims
    if None not in ranks:
        if ranks[1] - ranks[0] != 1 or y_pred.shape[-1] == 1:
            return ops.remove_squeezable_dimensions(y_true, y_pred)
        return y_true, y_pred
    difference = ops.rank(y_pred) - ops.rank(y_true)
    is_last_one = ops.equal(1, ops.shape(y_pred)[-1])

    def squeeze() -> Any:
        return ops.remove_squeezable_dimensions(y_true, y_pred)

    def perhaps() -> Any:
        return ops.cond(is_last_one, squeeze, lambda: (y_true, y_pred))

    return tuple(ops.cond(ops.equal(1, difference), perhaps, squeeze))
