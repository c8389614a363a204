"""Weighted losses, averaged over the elements with nonzero weight."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.contrib.losses.losses_collection import DATE, add_loss
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.losses.compute_weighted_loss import safe_mean
from tfmini._src.ops import ops


def scaled_sum(losses: Tensor, weights: Tensor) -> Tensor:
    """Returns the sum of the losses, each row multiplied by its weight."""
    axes = list(range(len(weights.shape), len(losses.shape)))
    return ops.reduce_sum(ops.multiply(ops.reduce_sum(losses, axis=axes), weights))


def number_present(losses: Tensor, weights: Tensor, per_batch: bool = False) -> Tensor:
    """Returns the number of losses with nonzero weight, in total or for each row, [batch]."""
    rank = weights.shape.ndims
    if rank == 0:
        batch = ops.reshape(ops.slice(ops.shape(losses), [0], [1]), [])
        size = ops.cast(ops.size(losses), dtypes.float32)
        present = ops.div(size, ops.cast(batch, dtypes.float32))
        present = ops.where(ops.equal(weights, 0), 0.0, present)
        present = ops.multiply(ops.ones(ops.reshape(batch, [1])), present)
    else:
        are_present = ops.cast(ops.not_equal(weights, 0), dtypes.float32)
        rows = ops.reduce_sum(are_present, axis=list(range(1, len(weights.shape))))
        inner = ops.slice(ops.shape(losses), [rank], [-1])
        present = ops.multiply(rows, ops.cast(ops.reduce_prod(inner), dtypes.float32))
    return present if per_batch else ops.reduce_sum(present)


def weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None) -> Tensor:
    """Calls `compute_weighted_loss` without its deprecation warning."""
    with name_scope(scope, "weighted_loss", [losses, weights]):
        losses = ops.convert_to_tensor(losses)
        dtype = losses.dtype
        losses = ops.cast(losses, dtypes.float32)
        weights = ops.cast(ops.convert_to_tensor(weights), dtypes.float32)
        if losses.shape.ndims is None:
            raise ValueError("losses.get_shape().ndims cannot be None")
        if weights.shape.ndims is None:
            raise ValueError("weights.get_shape().ndims cannot be None")
        if weights.shape.ndims > 1 and weights._dims[-1] in (None, 1):
            weights = ops.squeeze(weights, [-1])
        total = scaled_sum(losses, weights)
        loss = ops.cast(safe_mean(total, number_present(losses, weights)), dtype)
        add_loss(loss)
        return loss


@deprecated(DATE, "Use tf.losses.compute_weighted_loss instead.")
def compute_weighted_loss(
    losses: TensorLike, weights: TensorLike = 1.0, scope: str | None = None
) -> Tensor:
    """Returns the weighted mean of losses over the elements with nonzero weight, added to the losses collection.

    Args:
      losses: a tensor [d1, ..., dn] of known rank.
      weights: a scalar, or a tensor [d1, ..., dk] with k <= n, of known rank.
      scope: name scope, by default "weighted_loss".

    Returns:
      A scalar of the losses' dtype.

    Raises:
      ValueError: if a rank is unknown, or the shapes do not match.
    """
    return weighted_loss(losses, weights, scope)
