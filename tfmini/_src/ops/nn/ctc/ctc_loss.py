"""CTC loss: the probability of label sequences for logits, over all alignments.

From A. Graves, "Supervised sequence labelling with recurrent neural networks" (2008), section 7.4. The
sequence l' has blanks between its labels and at both ends; each step of a path stays, or advances by one state, or by
two to skip a blank between different labels. Forward and backward variables share one recursion, in which l' and time
are reversed for the backward variables, so both directions of all examples run at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.dtypes import float32
from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.devices.host.native.sequences import ctc_loss as native_ctc_loss
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.opdef import Attr, op, public, raw
from tfmini._src.graph.shape_inference import merge_dim, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.ctc.ctc_targets import (
    check_lengths,
    check_operands,
    check_time,
    example_target,
    label_lists,
)
from tfmini._src.ops.type_lists import SINGLE_DOUBLE

# Limit on states of jointly computed examples over all times, to bound memory.
_MAX_CHUNK_STATES = 2**18


def _sums(log_probs: Any, staying: Any, skipping: Any, last: Any) -> Any:
    """Returns the forward log probabilities by time and state, before the emission of the state itself.

    log_probs: [time, rows, states], log probabilities; staying, skipping: [rows, states], 0 where a
    path may stay, or skip the previous state, else -inf; last: [rows], index of the last state.
    """
    time, rows, states = log_probs.shape
    forward_sums = np.full((time, rows, states), -np.inf, log_probs.dtype)
    forward_sums[0, :, 0] = 0
    if states > 1:
        forward_sums[0, last > 0, 1] = 0
    for t in range(1, time):
        previous_sums = forward_sums[t - 1] + log_probs[t - 1]
        ways = np.full((3, rows, states), -np.inf, log_probs.dtype)
        np.add(previous_sums, staying, out=ways[0])
        ways[1, :, 1:] = previous_sums[:, :-1]
        np.add(previous_sums[:, :-2], skipping[:, 2:], out=ways[2, :, 2:])
        top = ways.max(axis=0)
        top[top == -np.inf] = 0
        np.log(np.exp(ways - top).sum(axis=0), out=forward_sums[t])
        forward_sums[t] += top
    return forward_sums


def _reverse_sequences(array: Any, lengths: Any, axis: int) -> Any:
    """Reverses the first `lengths` elements of each row of `array` [..., rows at axis 1 or 0, ...] along an axis."""
    steps = np.arange(array.shape[axis])
    order = np.where(steps < lengths[:, None], lengths[:, None] - 1 - steps, steps)
    if array.ndim == 2:
        return np.take_along_axis(array, order, axis=1)
    order = order.T[:, :, None] if axis == 0 else order[None]
    return np.take_along_axis(array, order, axis=axis)


def _loss_and_gradient(logits: Any, targets: list[list[int]], lengths: Any, merge: bool) -> tuple:
    """Returns losses [rows] and gradients [time, rows, classes] of examples of nonzero length."""
    time, rows, classes = logits.shape
    blank = classes - 1
    outputs = np.exp(logits - logits.max(axis=2, keepdims=True))
    outputs /= outputs.sum(axis=2, keepdims=True)

    counts = np.array([len(target) for target in targets])
    sequence = np.full((rows, 2 * counts.max() + 1), blank)  # l', of length 2 count + 1
    for row, target in zip(sequence, targets):
        row[1 : 2 * len(target) : 2] = target
    log_probs = np.empty((time, 2 * rows, sequence.shape[1]), logits.dtype)  # forward and backward
    ahead = log_probs[:, :rows]
    np.log(np.take_along_axis(outputs, sequence[None], axis=2), out=ahead)

    sizes = 2 * counts + 1
    backwards = _reverse_sequences(sequence, sizes, 1)
    both = np.concatenate([sequence, backwards])
    staying = np.where(merge | (both == blank), 0, -np.inf).astype(logits.dtype)
    skipping = np.full(both.shape, -np.inf, logits.dtype)
    skips = both[:, 2:] != blank
    if merge:
        skips &= both[:, 2:] != both[:, :-2]
    skipping[:, 2:][skips] = 0
    log_probs[:, rows:] = _reverse_sequences(_reverse_sequences(ahead, lengths, 0), sizes, 2)
    sums = _sums(log_probs, staying, skipping, np.tile(sizes - 1, 2))
    paths = sums[:, :rows]
    paths += ahead
    del log_probs, ahead
    paths += _reverse_sequences(_reverse_sequences(sums[:, rows:], lengths, 0), sizes, 2)
    paths[:, np.arange(sequence.shape[1]) >= sizes[:, None]] = -np.inf

    first = paths[0]
    top = first.max(axis=1)
    top[top == -np.inf] = 0
    likelihood = top + np.log(np.exp(first - top[:, None]).sum(axis=1))

    # Equation 7.28; if no path is possible, the outputs are used as the gradient.
    possible = likelihood != -np.inf
    paths -= np.where(possible, likelihood, 0)[:, None]
    shares = np.exp(paths, out=paths)
    gradient = outputs
    gradient[:, :, blank] -= shares[:, :, ::2].sum(axis=2)
    row_indices = np.arange(rows)
    for i in range(1, sequence.shape[1], 2):
        gradient[:, row_indices, sequence[:, i]] -= np.where(i < sizes, shares[:, :, i], 0)
    gradient[np.arange(time)[:, None] >= lengths] = 0
    return 0 - likelihood, gradient


@op(
    "CTCLoss",
    "inputs: T, labels_indices: int64, labels_values: int32, sequence_length: int32 "
    "-> loss: T, gradient: T",
    preprocess_collapse_repeated=False,
    ctc_merge_repeated=True,
    ignore_longer_outputs_than_inputs=False,
    T=Attr("type", float32, allowed=SINGLE_DOUBLE),
)
def ctc_loss_op(
    xp,
    inputs,
    positions,
    values,
    lengths,
    *,
    preprocess_collapse_repeated,
    ctc_merge_repeated,
    ignore_longer_outputs_than_inputs,
):
    check_operands(inputs, positions, values, lengths)
    time, batch, classes = inputs.shape
    labels = label_lists(positions, values, batch)
    check_lengths(time, lengths.tolist())
    targets = []
    for b, length in enumerate(lengths.tolist()):
        targets.append(example_target(b, labels[b], classes - 1, preprocess_collapse_repeated))
        if not ignore_longer_outputs_than_inputs:
            check_time(b, len(labels[b]), length)

    required = np.array([max(1, len(row)) for row in labels])
    feasible_rows = np.flatnonzero(lengths >= required)
    result = native_ctc_loss.losses(
        inputs, targets, np.where(lengths >= required, lengths, 0), ctc_merge_repeated
    )
    if result is not None:
        return result
    loss = np.zeros(batch, inputs.dtype)
    gradient = np.zeros_like(inputs)
    span = int(lengths.max())
    states = 2 * max(map(len, targets)) + 1
    rows_per_chunk = max(1, _MAX_CHUNK_STATES // max(1, span * states))
    for start in range(0, len(feasible_rows), rows_per_chunk):
        part = feasible_rows[start : start + rows_per_chunk]
        loss[part], gradient[:span, part] = _loss_and_gradient(
            inputs[:span, part],
            [targets[b] for b in part.tolist()],
            lengths[part],
            ctc_merge_repeated,
        )
    return loss, gradient


@ctc_loss_op.infer
def _(op):
    time, batch, classes = with_rank(op.inputs[0]._dims, 3)
    count, _ = with_rank(op.inputs[1]._dims, 2)
    (values,) = with_rank(op.inputs[2]._dims, 1)
    (lengths,) = with_rank(op.inputs[3]._dims, 1)
    merge_dim(count, values)
    batch = merge_dim(batch, lengths)
    return [(batch,), (time, batch, classes)]


@ctc_loss_op.gradient
def _(op, grad_loss, _grad_gradient):
    gradient = ops.prevent_gradient(
        op.outputs[1],
        message="Currently there is no way to take the second  derivative of ctc_loss due to the fused "
        "implementation's interaction  with tf.gradients()",
    )
    return ops.expand_dims(grad_loss, -1) * gradient, None, None, None


@public
def ctc_loss(
    labels: SparseTensor,
    inputs: TensorLike | None = None,
    sequence_length: TensorLike | None = None,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
    time_major: bool = True,
    logits: TensorLike | None = None,
) -> Tensor:
    """Returns the negative log probability that logits decode to `labels`, over all alignments.

    A path assigns a class to each time step; it decodes to the labels that remain after merging runs of a class
    and dropping blanks, the last class (Graves et al., ICML 2006). Logits are unscaled.

    Args:
      labels: int32 SparseTensor [batch, length] of classes below the blank, with left-aligned rows.
      inputs: float32 or float64 [time, batch, classes], the logits.
      sequence_length: int32 [batch], the number of time steps of each example.
      preprocess_collapse_repeated: whether to merge repeated labels first.
      ctc_merge_repeated: False treats repeats of a class in consecutive steps as separate labels.
      ignore_longer_outputs_than_inputs: whether examples with more labels than time steps yield a loss
        and gradient of zero instead of an error.
      time_major: False for inputs [batch, time, classes].
      logits: an alias of `inputs`.

    Returns:
      [batch], in the dtype of the logits.

    Raises:
      TypeError: if `labels` is not a SparseTensor.
      ValueError: if both or neither of `inputs` and `logits` are passed, or shapes do not match.
      InvalidArgumentError (when run): if an example has no labels, negative ones, labels after a blank, or
        more labels than time steps.

    Example:
      labels = tf.SparseTensor([[0, 0], [0, 1]], [0, 1], [1, 2])
      tf.nn.ctc_loss(labels, tf.zeros([2, 1, 3]), [2])  # [2.197]: one of nine paths
    """
    if not isinstance(labels, SparseTensor):
        raise TypeError("Expected labels (first argument) to be a SparseTensor")
    inputs = deprecated_argument_lookup("logits", logits, "inputs", inputs)
    if not time_major:
        inputs = ops.transpose(inputs, [1, 0, 2])
    loss, _ = raw.CTCLoss(
        inputs,
        labels.indices,
        labels.values,
        sequence_length,
        preprocess_collapse_repeated=preprocess_collapse_repeated,
        ctc_merge_repeated=ctc_merge_repeated,
        ignore_longer_outputs_than_inputs=ignore_longer_outputs_than_inputs,
    )
    return loss
