"""Connectionist temporal classification (CTC) under its Keras names: losses and decoding of probabilities."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.functions.functional_ops import scan
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.backend.array_functions import concatenate, reverse
from tfmini._src.nn.layers.backend.config import epsilon
from tfmini._src.ops import ops


def ctc_label_dense_to_sparse(labels: Tensor, label_lengths: Tensor) -> Any:
    """Converts dense labels to a SparseTensor.

    Args:
      labels: [batch, longest].
      label_lengths: [batch], number of valid labels per row, int.
    """
    shape = ops.shape(labels)
    batch, max_length = ops.stack([shape[0]]), ops.stack([shape[1]])

    def below(before: Any, length: Any) -> Any:
        positions = ops.expand_dims(ops.range(ops.shape(before)[1]), 0)
        return positions < ops.fill(max_length, length)

    no_repeats = ops.cast(ops.fill([1, shape[1]], 0), dtypes.bool)
    mask = scan(below, label_lengths, initializer=no_repeats, parallel_iterations=1)
    mask = mask[:, 0, :]
    columns = ops.reshape(ops.tile(ops.range(0, shape[1]), batch), shape)
    columns = ops.boolean_mask(columns, mask)
    rows = ops.tile(ops.range(0, shape[0]), max_length)
    rows = ops.transpose(ops.reshape(rows, reverse(shape, 0)))
    rows = ops.boolean_mask(rows, mask)
    indices = ops.transpose(ops.reshape(concatenate([rows, columns], axis=0), [2, -1]))
    values = ops.gather_nd(labels, indices)
    return SparseTensor(ops.cast(indices, dtypes.int64), values, ops.cast(shape, dtypes.int64))


def ctc_batch_cost(
    y_true: Tensor, y_pred: Tensor, input_length: Tensor, label_length: Tensor
) -> Any:
    """Computes the CTC loss of each row: [batch, 1].

    Args:
      y_true: labels, [batch, longest].
      y_pred: probabilities, [batch, steps, classes]; the last class is the blank.
      input_length, label_length: number of valid steps and labels per row, [batch, 1].
    """
    label_length = ops.cast(ops.squeeze(label_length, axis=-1), dtypes.int32)
    input_length = ops.cast(ops.squeeze(input_length, axis=-1), dtypes.int32)
    labels = ops.cast(ctc_label_dense_to_sparse(y_true, label_length), dtypes.int32)
    logits = _logits(y_pred)
    losses = ops.ctc_loss(inputs=logits, labels=labels, sequence_length=input_length)
    return ops.expand_dims(losses, 1)


def ctc_decode(
    y_pred: Tensor,
    input_length: Tensor,
    greedy: bool = True,
    beam_width: int = 100,
    top_paths: int = 1,
) -> tuple[Any, ...]:
    """Finds the most probable labels; returns ([labels [batch, longest] padded with -1, ...], log probabilities).

    Args:
      y_pred: probabilities, [batch, steps, classes]; the last class is the blank.
      input_length: number of valid steps per row, [batch].
      greedy: whether to use the best class of each step instead of beam search.
      beam_width: number of prefixes retained by the beam search.
      top_paths: number of best sequences returned by the beam search.
    """
    logits = _logits(y_pred)
    input_length = ops.cast(input_length, dtypes.int32)
    if greedy:
        decoded, scores = ops.ctc_greedy_decoder(inputs=logits, sequence_length=input_length)
    else:
        decoded, scores = ops.ctc_beam_search_decoder(
            inputs=logits,
            sequence_length=input_length,
            beam_width=beam_width,
            top_paths=top_paths,
        )
    dense = [
        ops.sparse_to_dense(x.indices, x.dense_shape, x.values, default_value=-1) for x in decoded
    ]
    return dense, scores


def _logits(y_pred: Any) -> Any:
    """Returns log probabilities with the time axis first."""
    return ops.log(ops.transpose(y_pred, perm=[1, 0, 2]) + epsilon())
