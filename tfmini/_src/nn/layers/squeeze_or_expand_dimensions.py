"""Targets, predictions and weights whose ranks differ by one: squeezes or expands a dimension of size 1."""

from __future__ import annotations

from typing import Any

from tfmini._src.ops import ops


def squeeze_or_expand_dimensions(
    y_pred: Any, y_true: Any = None, sample_weight: Any = None
) -> tuple:
    """Predictions and targets of one rank, and weights of the predictions' rank or scalar.

    Args:
      y_pred: a tensor.
      y_true: a tensor or None.
      sample_weight: a tensor, a number or None.

    Returns:
      (y_pred, y_true), and the weights as a third where there are any.
    """
    rank = y_pred.shape.ndims
    if y_true is not None:
        y_true, y_pred = _of_one_rank(y_pred, y_true)
    if sample_weight is None:
        return y_pred, y_true
    weights = ops.convert_to_tensor(sample_weight)
    weights_rank = weights.shape.ndims
    if weights_rank == 0:
        return y_pred, y_true, weights
    if rank is None or weights_rank is None:
        return y_pred, y_true, _weights_of_rank(weights, y_pred)
    if weights_rank - rank == 1:
        weights = ops.squeeze(weights, [-1])
    elif rank - weights_rank == 1:
        weights = ops.expand_dims(weights, [-1])
    return y_pred, y_true, weights


def _of_one_rank(y_pred: Any, y_true: Any) -> tuple:
    """(y_true, y_pred)."""
    ranks = y_true.shape.ndims, y_pred.shape.ndims
    if None not in ranks:
        if ranks[1] - ranks[0] != 1 or y_pred.shape[-1] == 1:
            return ops.remove_squeezable_dimensions(y_true, y_pred)
        return y_true, y_pred
    difference = ops.rank(y_pred) - ops.rank(y_true)
    ends_in_one = ops.equal(1, ops.shape(y_pred)[-1])

    def squeezed() -> Any:
        return ops.remove_squeezable_dimensions(y_true, y_pred)

    def perhaps() -> Any:
        return ops.cond(ends_in_one, squeezed, lambda: (y_true, y_pred))

    return tuple(ops.cond(ops.equal(1, difference), perhaps, squeezed))


def _weights_of_rank(weights: Any, values: Any) -> Any:
    rank = ops.rank(weights)
    difference = rank - ops.rank(values)

    def expanded() -> Any:
        return ops.cond(
            ops.equal(difference, -1), lambda: ops.expand_dims(weights, [-1]), lambda: weights
        )

    def adjusted() -> Any:
        return ops.cond(ops.equal(difference, 1), lambda: ops.squeeze(weights, [-1]), expanded)

    return ops.cond(ops.equal(rank, 0), lambda: weights, adjusted)
