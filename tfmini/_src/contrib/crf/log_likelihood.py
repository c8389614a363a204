"""Log-likelihoods of tag sequences, and log sums over all sequences."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.crf.cells import CrfForwardRnnCell
from tfmini._src.contrib.crf.sequence_score import (
    crf_sequence_score,
    step_or_scan,
    zero_where_empty,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.rnn.dynamic_rnn import dynamic_rnn
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable


def steps_minus_one(sequence_lengths: Any) -> Tensor:
    """Returns the number of steps after the first in each sequence."""
    zero = ops.constant(0, dtype=sequence_lengths.dtype)
    return ops.maximum(zero, sequence_lengths - 1)


def crf_log_norm(
    inputs: TensorLike, sequence_lengths: TensorLike, transition_params: TensorLike
) -> Tensor:
    """Returns the log of the sum of exp(score) over all tag sequences, by the forward algorithm.

    Args:
      inputs: float32 tensor [batch, time, tags], unary scores.
      sequence_lengths: int32 or int64 tensor [batch].
      transition_params: float32 tensor [tags, tags].

    Returns:
      float32 [batch]; 0 for sequences without steps.
    """
    first = ops.squeeze(ops.slice(inputs, [0, 0, 0], [-1, 1, -1]), [1])

    def one_step() -> Tensor:
        return zero_where_empty(ops.reduce_logsumexp(first, [1]), sequence_lengths)

    def more() -> Tensor:
        later_inputs = ops.slice(inputs, [0, 1, 0], [-1, -1, -1])
        cell = CrfForwardRnnCell(transition_params)
        _, alphas = dynamic_rnn(
            cell=cell,
            inputs=later_inputs,
            sequence_length=steps_minus_one(sequence_lengths),
            initial_state=first,
            dtype=dtypes.float32,
        )
        return zero_where_empty(ops.reduce_logsumexp(alphas, [1]), sequence_lengths)

    return step_or_scan(inputs, one_step, more)


def crf_multitag_sequence_score(
    inputs: TensorLike,
    tag_bitmap: Tensor,
    sequence_lengths: TensorLike,
    transition_params: TensorLike,
) -> Tensor:
    """Returns the log of the sum of exp(score) over the sequences of allowed tags.

    Args:
      inputs: float32 tensor [batch, time, tags], unary scores.
      tag_bitmap: bool tensor [batch, time, tags], allowed tags.
      sequence_lengths: int32 or int64 tensor [batch].
      transition_params: float32 tensor [tags, tags].

    Returns:
      float32 [batch]; equal to `crf_sequence_score` for one tag at each time.
    """

    def mask_disallowed() -> Tensor:
        return ops.where(tag_bitmap, inputs, ops.fill(ops.shape(inputs), float("-inf")))

    def one_step() -> Tensor:
        return ops.reduce_logsumexp(mask_disallowed(), axis=[1, 2], keepdims=False)

    def more() -> Tensor:
        return crf_log_norm(
            inputs=mask_disallowed(),
            sequence_lengths=sequence_lengths,
            transition_params=transition_params,
        )

    return step_or_scan(inputs, one_step, more)


def crf_log_likelihood(
    inputs: Tensor,
    tag_indices: Tensor,
    sequence_lengths: Tensor,
    transition_params: TensorLike | None = None,
) -> tuple[Tensor, Any]:
    """Returns the log-likelihoods of tag sequences: their scores minus the log norm.

    Args:
      inputs: float32 tensor [batch, time, tags], unary scores, the outputs of a network.
      tag_indices: int32 or int64 tensor [batch, time], the tags.
      sequence_lengths: int32 or int64 tensor [batch].
      transition_params: float32 tensor [tags, tags]; by default a new variable "transitions".

    Returns:
      (log-likelihoods, float32 [batch]; the transition matrix).

    Example:
      likelihood, transitions = tf.contrib.crf.crf_log_likelihood(scores, tags, lengths)
      loss = tf.reduce_mean(-likelihood)
    """
    num_tags = dimension_value(inputs.shape[2])
    if transition_params is None:
        transition_params = get_variable("transitions", [num_tags, num_tags])
    scores = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    norm = crf_log_norm(inputs, sequence_lengths, transition_params)
    return scores - norm, transition_params
