"""Scores of tag sequences: unary, binary, and their sum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import dimension_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.control_flow.case import smart_cond


def step_or_scan(inputs: Any, one_step: Callable, many_steps: Callable) -> Any:
    """Returns the result of `one_step` for inputs with a single time step, else the result of `many_steps`."""
    time = dimension_value(inputs.shape[1]) or ops.shape(inputs)[1]
    return smart_cond(ops.equal(time, 1), one_step, many_steps)


def zero_where_empty(values: Tensor, sequence_lengths: Any) -> Tensor:
    """Returns `values`, [batch], with zeros for empty sequences."""
    return ops.where(ops.less_equal(sequence_lengths, 0), ops.zeros_like(values), values)


def crf_unary_score(tag_indices: Any, sequence_lengths: TensorLike, inputs: TensorLike) -> Tensor:
    """Returns the sum of the unary scores of the tags.

    Args:
      tag_indices: int32 or int64 tensor [batch, time], the tags.
      sequence_lengths: integer tensor [batch]; steps beyond the end of a sequence are ignored.
      inputs: float32 tensor [batch, time, tags], unary scores.

    Returns:
      float32 [batch].

    Raises:
      InvalidArgumentError (at run time): if a tag is out of range.
    """
    batch_size, max_time, num_tags = (ops.shape(inputs)[axis] for axis in range(3))
    flat_inputs = ops.reshape(inputs, [-1])
    offsets = ops.expand_dims(ops.range(batch_size) * max_time * num_tags, 1)
    offsets += ops.expand_dims(ops.range(max_time) * num_tags, 0)
    if tag_indices.dtype == dtypes.int64:
        offsets = ops.cast(offsets, dtypes.int64)
    indices = ops.reshape(offsets + tag_indices, [-1])
    scores = ops.reshape(ops.gather(flat_inputs, indices), [batch_size, max_time])
    return ops.reduce_sum(scores * _mask(sequence_lengths, tag_indices), 1)


def crf_binary_score(
    tag_indices: Any, sequence_lengths: TensorLike, transition_params: Any
) -> Tensor:
    """Returns the sum of the binary scores of adjacent tags.

    Args:
      tag_indices: int32 or int64 tensor [batch, time], the tags.
      sequence_lengths: integer tensor [batch].
      transition_params: float32 tensor [tags, tags], scores of pairs [previous tag, tag].

    Returns:
      float32 [batch].

    Raises:
      InvalidArgumentError (at run time): if a tag is out of range.
    """
    num_tags = transition_params.get_shape()[0]
    count = ops.shape(tag_indices)[1] - 1
    previous_tags = ops.slice(tag_indices, [0, 0], [-1, count])
    next_tags = ops.slice(tag_indices, [0, 1], [-1, count])
    positions = previous_tags * num_tags + next_tags
    scores = ops.gather(ops.reshape(transition_params, [-1]), positions)
    mask = ops.slice(_mask(sequence_lengths, tag_indices), [0, 1], [-1, -1])
    return ops.reduce_sum(scores * mask, 1)


def _mask(sequence_lengths: Any, tag_indices: Any) -> Tensor:
    """Returns a float32 mask [batch, time]: 1 inside each sequence, 0 after its end."""
    return ops.sequence_mask(
        sequence_lengths, maxlen=ops.shape(tag_indices)[1], dtype=dtypes.float32
    )


def crf_sequence_score(
    inputs: TensorLike,
    tag_indices: Any,
    sequence_lengths: TensorLike,
    transition_params: TensorLike,
) -> Tensor:
    """Returns the scores of tag sequences, unary plus binary: unnormalized log-likelihoods.

    Args:
      inputs: float32 tensor [batch, time, tags], unary scores.
      tag_indices: int32 or int64 tensor [batch, time], the tags.
      sequence_lengths: integer tensor [batch].
      transition_params: float32 tensor [tags, tags].

    Returns:
      float32 [batch].
    """

    def one_step() -> Tensor:
        batch_size = ops.shape(inputs, out_type=tag_indices.dtype)[0]
        rows = ops.reshape(ops.range(batch_size, dtype=tag_indices.dtype), [-1, 1])
        scores = ops.gather_nd(ops.squeeze(inputs, [1]), ops.concat([rows, tag_indices], axis=1))
        return zero_where_empty(scores, sequence_lengths)

    def more() -> Tensor:
        unary = crf_unary_score(tag_indices, sequence_lengths, inputs)
        binary = crf_binary_score(tag_indices, sequence_lengths, transition_params)
        return unary + binary

    return step_or_scan(inputs, one_step, more)
