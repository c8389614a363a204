"""Best tag sequences by Viterbi's algorithm, in the graph and in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.crf.cells import CrfDecodeBackwardRnnCell, CrfDecodeForwardRnnCell
from tfmini._src.contrib.crf.log_likelihood import steps_minus_one
from tfmini._src.contrib.crf.sequence_score import step_or_scan
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.rnn.dynamic_rnn import dynamic_rnn
from tfmini._src.ops import ops, raw


def viterbi_decode(score: np.ndarray, transition_params: TensorLike) -> tuple[list[Any], Any]:
    """Returns the best tags of one sequence, computed in NumPy.

    Args:
      score: float array [time, tags], unary scores.
      transition_params: float array [tags, tags].

    Returns:
      A list of `time` tags, and their score.

    Example: `viterbi_decode(np.eye(2), np.zeros([2, 2]))` is ([0, 1], 2.0).
    """
    best = np.array(score[0])
    pointers = []
    for unary in score[1:]:
        ways = best[:, None] + transition_params
        pointers.append(ways.argmax(axis=0).astype(np.int32))
        best = (unary + ways.max(axis=0)).astype(score.dtype)
    tags = [np.argmax(best)]
    for step in reversed(pointers):
        tags.append(step[tags[-1]])
    tags.reverse()
    return tags, np.max(best)


def crf_decode(
    potentials: Tensor, transition_params: TensorLike, sequence_length: TensorLike
) -> tuple[Tensor, Tensor]:
    """Returns the best tags of each sequence.

    Args:
      potentials: float32 tensor [batch, time, tags], unary scores.
      transition_params: float32 tensor [tags, tags].
      sequence_length: int32 or int64 tensor [batch].

    Returns:
      (tags, int32 [batch, time], 0 after the end of a sequence; their scores, float32 [batch]).
    """

    def one_step() -> tuple[Tensor, Tensor]:
        scores = ops.squeeze(potentials, [1])
        tags = ops.expand_dims(ops.argmax(scores, axis=1), 1)
        best = ops.reduce_max(scores, axis=1)
        return ops.cast(tags, dtype=dtypes.int32), best

    def more() -> tuple[Tensor, Tensor]:
        num_tags = dimension_value(potentials.shape[2])
        forward = CrfDecodeForwardRnnCell(transition_params)
        first = ops.squeeze(ops.slice(potentials, [0, 0, 0], [-1, 1, -1]), axis=[1])
        later_inputs = ops.slice(potentials, [0, 1, 0], [-1, -1, -1])
        steps = steps_minus_one(sequence_length)
        pointers, last_scores = dynamic_rnn(
            cell=forward,
            inputs=later_inputs,
            sequence_length=steps,
            initial_state=first,
            time_major=False,
            dtype=dtypes.int32,
        )
        pointers = raw.ReverseSequence(pointers, steps, seq_dim=1)
        backward = CrfDecodeBackwardRnnCell(num_tags)
        last = ops.cast(ops.argmax(last_scores, axis=1), dtype=dtypes.int32)
        last = ops.expand_dims(last, axis=-1)
        tags, _ = dynamic_rnn(
            cell=backward,
            inputs=pointers,
            sequence_length=steps,
            initial_state=last,
            time_major=False,
            dtype=dtypes.int32,
        )
        tags = ops.concat([last, ops.squeeze(tags, axis=[2])], axis=1)
        tags = raw.ReverseSequence(tags, sequence_length, seq_dim=1)
        return tags, ops.reduce_max(last_scores, axis=1)

    return step_or_scan(potentials, one_step, more)
