"""Weighting of losses, which are then reduced to a scalar and added to a collection."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.losses.losses_collection import add_loss
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_weights import assert_broadcastable, broadcast_weights


def safe_mean(total: Any, count: Any) -> Tensor:
    """Returns total / count, or 0 if the count is 0."""
    return ops.div_no_nan(ops.reduce_sum(total), count, name="value")


def number_present(losses: Any, weights: Any, per_batch: bool = False) -> Tensor:
    """Returns the number of losses with a nonzero weight, in total or per row as `[batch, 1, ..., 1]`.

    In eager mode, a single weight counts all losses instead of those per row, as in TensorFlow.
    """
    if executing_eagerly() and not np.ndim(weights) and np.asarray(weights):
        return element_count(ops.convert_to_tensor(losses))
    with name_scope(None, "num_present", (losses, weights)) as scope:
        weights = ops.cast(weights, dtypes.float32)
        is_absent = ops.equal(weights, 0.0)
        present = ops.where(is_absent, ops.zeros_like(weights), ops.ones_like(weights))
        present = broadcast_weights(present, losses)
        if not per_batch:
            return ops.reduce_sum(present, name=scope)
        axes = ops.range(1, ops.rank(present))
        return ops.reduce_sum(present, axis=axes, keepdims=True, name=scope)


def element_count(losses: Tensor) -> Tensor:
    """Returns the number of elements of a tensor, in its dtype."""
    with name_scope(None, "num_elements", [losses]) as scope:
        return ops.cast(ops.size(losses, name=scope), losses.dtype)


def _reduce(losses: Tensor, weights: Tensor, weighted: Tensor, reduction: str) -> Tensor:
    if reduction == Reduction.NONE:
        return weighted
    total = ops.reduce_sum(weighted)
    if reduction == Reduction.MEAN:
        return safe_mean(total, ops.reduce_sum(ops.ones_like(losses) * weights))
    if reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
        return safe_mean(total, number_present(losses, weights))
    if reduction == Reduction.SUM_OVER_BATCH_SIZE:
        return safe_mean(total, element_count(losses))
    return total


def compute_weighted_loss(
    losses: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str | None = GraphKeys.LOSSES,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Multiplies elementwise losses by weights, reduces them, and adds the result to a collection.

    Args:
      losses: a tensor [batch, ...].
      weights: a scalar, or a tensor of the rank of the losses whose dimensions equal 1 or the dimensions of the losses.
      scope: the name scope, by default "weighted_loss".
      loss_collection: collection to add the loss to, or None.
      reduction: one of `tf.losses.Reduction`.

    Returns:
      A scalar of the losses' dtype; with `Reduction.NONE` a tensor of their shape.

    Raises:
      ValueError: if the weights are not broadcastable, or `reduction` is unknown.
      InvalidArgumentError (when run): if the weights are not broadcastable.
    """
    Reduction.validate(reduction)
    with name_scope(scope, "weighted_loss", (losses, weights)):
        get_default_graph()._last_loss_reduction = reduction
        with control_dependencies((assert_broadcastable(weights, losses),)):
            losses = ops.convert_to_tensor(losses)
            dtype = losses.dtype
            losses = ops.cast(losses, dtypes.float32)
            weights = ops.cast(weights, dtypes.float32)
            weighted = ops.multiply(losses, weights)
            loss = ops.cast(_reduce(losses, weights, weighted, reduction), dtype)
            add_loss(loss, loss_collection)
            return loss
