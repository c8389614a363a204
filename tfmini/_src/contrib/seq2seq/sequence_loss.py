"""`tf.contrib.seq2seq.sequence_loss`: the cross entropies of sequences, weighted and averaged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops


def sequence_loss(
    logits: Tensor,
    targets: Tensor,
    weights: Tensor,
    average_across_timesteps: bool = True,
    average_across_batch: bool = True,
    sum_over_timesteps: bool = False,
    sum_over_batch: bool = False,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Tensor:
    """Returns the weighted cross entropy of targets, averaged over time, batch, both or neither.

    Args:
      logits: float tensor [batch, time, symbols].
      targets: int tensor [batch, time], the target symbols.
      weights: float tensor [batch, time]; 0 where a sequence has ended.
      average_across_timesteps: whether to divide the sum over time by the sum of the weights.
      average_across_batch: the same over the batch.
      sum_over_timesteps: whether to divide the sum over time by the number of weights that are not 0.
      sum_over_batch: the same over the batch.
      softmax_loss_function: a function of `labels` [n] and `logits` [n, symbols] that returns losses [n], in
        place of the softmax cross entropy.

    Returns:
      A float scalar if time and batch are both reduced, [batch] or [time] if one is, else
      [batch, time].

    Raises:
      ValueError: for any other ranks, or if both averages of an axis are requested.
    """
    if len(logits.get_shape()) != 3:
        raise ValueError("Logits must be a [batch_size x sequence_length x logits] tensor")
    if len(targets.get_shape()) != 2:
        raise ValueError("Targets must be a [batch_size x sequence_length] tensor")
    if len(weights.get_shape()) != 2:
        raise ValueError("Weights must be a [batch_size x sequence_length] tensor")
    if average_across_timesteps and sum_over_timesteps:
        raise ValueError(
            "average_across_timesteps and sum_over_timesteps cannot be set to True at same time."
        )
    if average_across_batch and sum_over_batch:
        raise ValueError(
            "average_across_batch and sum_over_batch cannot be set to True at same time."
        )
    with name_scope(name, "sequence_loss", [logits, targets, weights]):
        symbols = ops.shape(logits)[2]
        flat_logits = ops.reshape(logits, [-1, symbols])
        flat_targets = ops.reshape(targets, [-1])
        if softmax_loss_function is None:
            losses = ops.sparse_softmax_cross_entropy_with_logits(
                labels=flat_targets, logits=flat_logits
            )
        else:
            losses = softmax_loss_function(labels=flat_targets, logits=flat_logits)
        losses *= ops.reshape(weights, [-1])
        if average_across_timesteps and average_across_batch:
            total = ops.reduce_sum(losses)
            return ops.div_no_nan(total, ops.reduce_sum(weights))
        if sum_over_timesteps and sum_over_batch:
            total = ops.reduce_sum(losses)
            return ops.div_no_nan(total, ops.cast(ops.count_nonzero(weights), total.dtype))
        losses = ops.reshape(losses, ops.shape(logits)[0:2])
        if average_across_timesteps or average_across_batch:
            axis = [0] if average_across_batch else [1]
            total = ops.reduce_sum(losses, axis=axis)
            return ops.div_no_nan(total, ops.reduce_sum(weights, axis=axis))
        if sum_over_timesteps or sum_over_batch:
            axis = [0] if sum_over_batch else [1]
            total = ops.reduce_sum(losses, axis=axis)
            count = ops.cast(ops.count_nonzero(weights, axis=axis), dtype=total.dtype)
            return ops.div_no_nan(total, count)
        return losses
