"""Losses of decoder outputs against targets, and models for several sequence lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.variable_scope import variable_scope


def sequence_loss_by_example(
    logits: list[Any],
    targets: list[Any],
    weights: list[Any],
    average_across_timesteps: bool = True,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Tensor:
    """Returns the weighted cross entropy of each row's sequence.

    Args:
      logits: a list of float tensors [batch, symbols], one per step.
      targets: a list of int32 tensors [batch].
      weights: a list of float tensors [batch].
      average_across_timesteps: whether to divide the sum over the steps by the sum of the weights.
      softmax_loss_function: (labels=, logits=) -> [batch], instead of the cross entropy.
      name: name scope, by default "sequence_loss_by_example".

    Returns:
      [batch], a float tensor.

    Raises:
      ValueError: if the lists differ in length.
    """
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise ValueError(
            "Lengths of logits, weights, and targets must be the same "
            f"{len(logits)}, {len(weights)}, {len(targets)}."
        )
    with name_scope(name, "sequence_loss_by_example", logits + targets + weights):
        costs = []
        for logit, target, weight in zip(logits, targets, weights):
            if softmax_loss_function is None:
                target = ops.reshape(target, [-1])
                cost = ops.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logit)
            else:
                cost = softmax_loss_function(labels=target, logits=logit)
            costs.append(cost * weight)
        total = ops.add_n(costs)
        if average_across_timesteps:
            size = ops.add_n(weights)
            size += 1e-12  # if all weights are 0
            total /= size
    return total


def sequence_loss(
    logits: list[Any],
    targets: list[Any],
    weights: list[Any],
    average_across_timesteps: bool = True,
    average_across_batch: bool = True,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Tensor:
    """Returns the sum or mean of `sequence_loss_by_example` over the batch.

    Args:
      logits, targets, weights, average_across_timesteps, softmax_loss_function: as in `sequence_loss_by_example`.
      average_across_batch: whether to average over the batch.
      name: name scope, by default "sequence_loss".

    Returns:
      A float scalar.

    Raises:
      ValueError: if the lists differ in length.
    """
    with name_scope(name, "sequence_loss", logits + targets + weights):
        cost = ops.reduce_sum(
            sequence_loss_by_example(
                logits,
                targets,
                weights,
                average_across_timesteps=average_across_timesteps,
                softmax_loss_function=softmax_loss_function,
            )
        )
        if not average_across_batch:
            return cost
        batch_size = ops.shape(targets[0])[0]
        return cost / ops.cast(batch_size, cost.dtype)


def model_with_buckets(
    encoder_inputs: list[Any],
    decoder_inputs: list[Any],
    targets: list[Any],
    weights: list[Any],
    buckets: Sequence[tuple[int, int]],
    seq2seq: Callable[..., Any],
    softmax_loss_function: Callable[..., Any] | None = None,
    per_example_loss: bool = False,
    name: str | None = None,
) -> tuple[list[Any], list[Any]]:
    """Builds one model for each of several sequence lengths, with shared weights.

    Args:
      encoder_inputs, decoder_inputs: lists of inputs, at least as long as the last bucket.
      targets: a list of int32 tensors [batch].
      weights: a list of float tensors [batch].
      buckets: pairs (encoder steps, decoder steps), the longest last.
      seq2seq: (encoder_inputs, decoder_inputs) -> (outputs, state).
      softmax_loss_function: as in `sequence_loss_by_example`.
      per_example_loss: whether losses are [batch] instead of scalars.
      name: name scope, by default "model_with_buckets".

    Returns:
      (a list of outputs, a list of losses), one element per bucket.

    Raises:
      ValueError: if a list is shorter than the last bucket.

    Example:
      def seq2seq(x, y):
          return tf.contrib.legacy_seq2seq.basic_rnn_seq2seq(x, y, tf.nn.rnn_cell.GRUCell(24))

      outputs, losses = tf.contrib.legacy_seq2seq.model_with_buckets(
          encoder_inputs, decoder_inputs, targets, weights, [(5, 10), (10, 15)], seq2seq)
    """
    for argument, items, size in (
        ("encoder_inputs", encoder_inputs, buckets[-1][0]),
        ("targets", targets, buckets[-1][1]),
        ("weights", weights, buckets[-1][1]),
    ):
        if len(items) < size:
            raise ValueError(
                f"Length of {argument} ({len(items)}) must be at least that of last bucket ({size})."
            )
    loss_of = sequence_loss_by_example if per_example_loss else sequence_loss
    outputs, losses = [], []
    with name_scope(
        name, "model_with_buckets", encoder_inputs + decoder_inputs + targets + weights
    ):
        for index, (read, output_size) in enumerate(buckets):
            with variable_scope(get_variable_scope(), reuse=True if index > 0 else None):
                bucket_outputs, _ = seq2seq(encoder_inputs[:read], decoder_inputs[:output_size])
                outputs.append(bucket_outputs)
                losses.append(
                    loss_of(
                        bucket_outputs,
                        targets[:output_size],
                        weights[:output_size],
                        softmax_loss_function=softmax_loss_function,
                    )
                )
    return outputs, losses
