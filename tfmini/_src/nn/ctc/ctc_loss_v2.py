"""`tf.nn.ctc_loss_v2`: the CTC loss of dense labels, composed of ops that run on any device.

Each label sequence becomes a model on whose states the forward-backward algorithm runs in log space: state 0 is the
start, label i is state i + 1, and as many more states are the blanks around labels. K. Sim et al., "Improving
the efficiency of forward-backward algorithm using batched computation in TensorFlow" (ASRU 2017).
"""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.functions.custom_gradient import custom_gradient
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.ctc.forward_backward import forward_backward
from tfmini._src.ops import ops
from tfmini._src.ops.nn.ctc.ctc_labels import axis_size
from tfmini._src.ops.nn.ctc.ctc_loss import ctc_loss


def ctc_loss_v2(
    labels: TensorLike,
    logits: TensorLike,
    label_length: TensorLike,
    logit_length: TensorLike,
    logits_time_major: bool = True,
    unique: tuple[Tensor, Tensor] | None = None,
    blank_index: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Returns the negative log probability of `labels` given logits, summed over all alignments.

    Same as `tf.nn.ctc_loss` with its defaults. Dense labels use a composition of ops that runs on GPUs and is slower on
    CPUs; its gradient past the end of an example is the softmax of the logits rather than 0, as in TensorFlow.

    Args:
      labels: int tensor [batch, longest], padded with zeros, or a SparseTensor.
      logits: float32 tensor [time, batch, classes].
      label_length: int [batch]; None for a SparseTensor.
      logit_length: int [batch], the time steps of each example.
      logits_time_major: False for logits [batch, time, classes].
      unique: the result of `ctc_unique_labels`; saves memory with many classes.
      blank_index: the class of the blank, from the end if negative; by default 0. Required with a SparseTensor.
      name: the name of the scope, "ctc_loss_dense" by default.

    Returns:
      float32 [batch].

    Raises:
      ValueError: if labels are a SparseTensor and `blank_index` is missing.
    """
    if isinstance(labels, SparseTensor):
        if blank_index is None:
            raise ValueError("blank_index must be given when using SparseTensor labels.")
        return _sparse_loss(labels, logits, logit_length, logits_time_major, blank_index)
    if blank_index is None:
        blank_index = 0
    with name_scope(name, "ctc_loss_dense", [logits, labels, label_length, logit_length]):
        logits = ops.convert_to_tensor(logits, name="logits")
        labels = ops.convert_to_tensor(labels, name="labels")
        label_length = ops.convert_to_tensor(label_length, name="label_length")
        logit_length = ops.convert_to_tensor(logit_length, name="logit_length")
        if not logits_time_major:
            logits = ops.transpose(logits, perm=[1, 0, 2])
        if blank_index != 0:
            if blank_index < 0:
                blank_index += axis_size(logits, 2)
            logits = ops.concat(
                [
                    logits[:, :, blank_index : blank_index + 1],
                    logits[:, :, :blank_index],
                    logits[:, :, blank_index + 1 :],
                ],
                axis=2,
            )
            labels = ops.where(labels < blank_index, labels + 1, labels)
        return _loss(logits, labels, label_length, logit_length, *(unique or ()))


def _sparse_loss(
    labels: SparseTensor, logits: Any, logit_length: Any, time_major: bool, blank_index: Any
) -> Tensor:
    """Computes `tf.nn.ctc_loss` after moving the blank class to the end."""
    if blank_index < 0:
        blank_index += axis_size(logits, 2)
    if blank_index != axis_size(logits, 2) - 1:
        logits = ops.concat(
            [
                logits[:, :, :blank_index],
                logits[:, :, blank_index + 1 :],
                logits[:, :, blank_index : blank_index + 1],
            ],
            axis=2,
        )
        values = ops.where(labels.values < blank_index, labels.values, labels.values - 1)
        labels = SparseTensor(labels.indices, values, labels.dense_shape)
    return ctc_loss(
        labels=labels, inputs=logits, sequence_length=logit_length, time_major=time_major
    )


def _loss(*arguments: Any) -> Tensor:
    """Returns the loss for logits (blank first), labels and lengths, with a custom gradient."""
    shapes = [tensor.shape for tensor in arguments[:4]]

    @custom_gradient
    def compute(*tensors: Tensor) -> tuple:
        for tensor, shape in zip(tensors, shapes):
            tensor.set_shape(shape)
        loss, gradient = _loss_and_gradient(tensors)

        def grad(grad_loss: Tensor) -> list:
            slope = ops.reshape(grad_loss, [1, -1, 1]) * gradient
            return [slope, *[None] * (len(arguments) - 1)]

        return loss, grad

    return compute(*arguments)


def _loss_and_gradient(tensors: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    """Returns the loss [batch] and gradient [time, batch, classes] for (logits, labels, lengths[, distinct labels])."""
    logits, labels, label_length, logit_length, *unique = tensors
    num_labels = axis_size(logits, 2)
    max_length = axis_size(labels, 1)
    class_log_probs = ops.log_softmax(logits)
    state_log_probs = _state_log_probs(labels, num_labels, class_log_probs)
    transitions = _transitions(labels)
    initial, final = _start_and_end_states(label_length, max_length)
    states, likelihood = forward_backward(
        ops.log(transitions), initial, final, state_log_probs, logit_length
    )
    if unique:
        expected = _class_log_probs_unique(labels, num_labels, states, unique)
    else:
        expected = _class_log_probs(labels, num_labels, states)
    gradient = ops.exp(class_log_probs) - ops.exp(expected)
    return -likelihood, gradient


def _transitions(labels: Tensor) -> Tensor:
    """Returns a matrix [batch, states, states]: 1 where a path may move from the column's state to the row's."""
    with name_scope("ctc_state_trans"):
        labels = ops.convert_to_tensor(labels, name="label_seq")
        batch_size = axis_size(labels, 0)
        num_labels = axis_size(labels, 1)
        num_label_states = num_labels + 1
        num_states = 2 * num_label_states
        label_states = ops.range(num_label_states)
        blank_states = label_states + num_label_states
        start_to_label = [[1, 0]]
        blank_to_label = ops.stack([label_states[1:], blank_states[:-1]], 1)
        label_to_blank = ops.stack([blank_states, label_states], 1)
        indices = ops.concat([start_to_label, blank_to_label, label_to_blank], 0)
        values = ops.ones([axis_size(indices, 0)])
        all_transitions = ops.scatter_nd(indices, values, shape=[num_states, num_states])
        all_transitions += ops.eye(num_states)
        # Transitions between labels require different labels.
        rows = ops.zeros_like(label_states[2:])
        indices = ops.stack([rows, label_states[2:], label_states[1:-1]], 1)
        indices = ops.tile(ops.expand_dims(indices, 0), [batch_size, 1, 1])
        rows = ops.expand_dims(ops.range(batch_size), 1) * [1, 0, 0]
        indices += ops.expand_dims(rows, 1)
        repeats = ops.equal(labels[:, :-1], labels[:, 1:])
        values = 1.0 - ops.cast(repeats, dtypes.float32)
        label_to_label = ops.scatter_nd(indices, values, [batch_size, num_states, num_states])
        return ops.expand_dims(all_transitions, 0) + label_to_label


def _start_and_end_states(lengths: Tensor, max_length: Any) -> tuple[Tensor, Tensor]:
    """Returns log probabilities [batch, states] that a path begins and ends in a state; 1e-307 where impossible."""
    batch_size = axis_size(lengths, 0)
    num_label_states = max_length + 1
    num_states = 2 * num_label_states
    log_0 = ops.cast(ops.log(ops.cast(0, dtypes.float64) + 1e-307), dtypes.float32)
    initial = ops.one_hot(
        indices=ops.zeros([batch_size], dtype=dtypes.int32),
        depth=num_states,
        on_value=0.0,
        off_value=log_0,
        axis=1,
    )
    last_label = ops.one_hot(lengths, depth=num_label_states, axis=0)
    both = ops.ones([2, 1, batch_size])  # states of the label and of the blank
    final = (1.0 - both * last_label) * log_0
    final = ops.reshape(final, [num_states, batch_size])
    return initial, ops.transpose(final)


def _state_log_probs(labels: Tensor, num_labels: Any, class_log_probs: Tensor) -> Tensor:
    """Converts log probabilities of classes to log probabilities of states: [time, batch, states]."""
    num_label_states = axis_size(labels, 1)
    blank = class_log_probs[:, :, :1]
    blank = ops.tile(blank, [1, 1, num_label_states + 1])
    one_hot = ops.one_hot(labels, depth=num_labels)
    one_hot = ops.expand_dims(one_hot, axis=0)
    class_log_probs = ops.expand_dims(class_log_probs, axis=2)
    states = ops.reduce_sum(class_log_probs * one_hot, axis=3)
    states = ops.concat([states, blank], axis=2)
    return ops.pad(states, [[0, 0], [0, 0], [1, 0]], constant_values=ops.log(0.0))


def _label_and_blank_states(labels: Tensor, states: Tensor) -> tuple[Tensor, Tensor]:
    """Splits states into label states and blank states."""
    count = axis_size(labels, 1) + 1
    return states[:, :, 1:count], states[:, :, count:]


def _class_log_probs(labels: Tensor, num_labels: Any, states: Tensor) -> Tensor:
    """Computes the log-sum-exp over the states of each class: [time, batch, classes]."""
    label_states, blank_states = _label_and_blank_states(labels, states)
    one_hot = ops.one_hot(labels - 1, depth=(num_labels - 1), on_value=0.0, off_value=ops.log(0.0))
    one_hot = ops.expand_dims(one_hot, axis=0)
    label_states = ops.expand_dims(label_states, axis=3)
    label_terms = ops.reduce_logsumexp(label_states + one_hot, axis=2)
    blank_log_probs = ops.reduce_logsumexp(blank_states, axis=2, keepdims=True)
    return ops.concat([blank_log_probs, label_terms], axis=-1)


def _class_log_probs_unique(labels: Tensor, num_labels: Any, states: Tensor, unique: Any) -> Tensor:
    """Memory-saving variant of `_class_log_probs` that sums over the distinct labels of each sequence."""
    num_label_states = axis_size(labels, 1) + 1
    label_states, blank_states = _label_and_blank_states(labels, states)
    unique_labels, unique_places = unique
    sums = _sum_repeated_labels(unique_places, label_states)
    num_frames, batch_size, num_states = states.shape[0], states.shape[1], num_label_states - 1
    sums = ops.transpose(sums, perm=[1, 2, 0])
    sums = ops.reshape(sums, [batch_size * num_states, num_frames])
    starts = ops.range(batch_size, dtype=unique_labels.dtype) * num_labels
    indices = unique_labels + ops.expand_dims(starts, axis=-1)
    indices = ops.reshape(indices, [-1, 1])
    spread = ops.scatter_nd(
        indices=indices, updates=sums, shape=[batch_size * num_labels, num_frames]
    )
    spread = ops.reshape(spread, [batch_size, num_labels, num_frames])
    spread = ops.where(ops.equal(spread, 0.0), ops.fill(ops.shape(spread), ops.log(0.0)), spread)
    label_terms = ops.transpose(spread, [2, 0, 1])
    label_terms = label_terms[:, :, 1:]
    blank_log_probs = ops.reduce_logsumexp(blank_states, axis=2, keepdims=True)
    return ops.concat([blank_log_probs, label_terms], axis=-1)


def _sum_repeated_labels(indices: Tensor, states: Tensor) -> Tensor:
    """Computes the log-sum-exp over the states of each distinct label: [time, batch, labels]."""
    with name_scope("sum_states"):
        indices = ops.convert_to_tensor(indices, name="idx")
        count = axis_size(states, 2)
        states = ops.expand_dims(states, axis=2)
        one_hot = ops.one_hot(indices, depth=count, on_value=0.0, off_value=ops.log(0.0), axis=1)
        return ops.reduce_logsumexp(states + one_hot, axis=-1)
