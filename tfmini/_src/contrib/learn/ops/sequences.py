"""Sequence-to-sequence models over lists of tensors, one per time step."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.rnn.rnn_cell import RNNCell
from tfmini._src.nn.rnn.rnn_functions import static_rnn
from tfmini._src.ops import ops
from tfmini._src.ops.nn.softmax_cross_entropy import softmax_cross_entropy_with_logits
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.variable_scope import variable_scope

_USE = "Please use tf.nn/tf.layers directly."


@deprecated(None, _USE)
def sequence_classifier(
    decoding: list[Any],
    labels: list[Any],
    sampling_decoding: list[Any] | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Returns class probabilities at each step, and the summed cross entropy.

    Args:
      decoding: logits [batch, classes] of each step.
      labels: one-hot labels [batch, classes] of each step.
      sampling_decoding: logits for the probabilities, instead of `decoding`.
      name: prefix of node names.

    Returns:
      (probabilities [batch, steps, classes], scalar loss).
    """
    with name_scope(name, "sequence_classifier", [decoding, labels]):
        predictions, losses = [], []
        for i, logits in enumerate(decoding):
            losses.append(
                softmax_cross_entropy_with_logits(
                    labels=labels[i], logits=logits, name=f"sequence_loss/xent_raw{i}"
                )
            )
            predictions.append(ops.softmax(sampling_decoding[i] if sampling_decoding else logits))
        loss = ops.reduce_sum(ops.add_n(losses, name="sequence_loss/xent"), name="sequence_loss")
        return ops.stack(predictions, axis=1), loss


@deprecated(None, _USE)
def seq2seq_inputs(
    x: TensorLike,
    y: TensorLike,
    input_length: int,
    output_length: int,
    sentinel: Tensor | None = None,
    name: str | None = None,
) -> tuple[list[Any], list[Any], list[Any]]:
    """Splits sequences into lists of encoder inputs, decoder inputs and labels.

    Args:
      x: [batch, input steps, size].
      y: [batch, output steps, size].
      input_length, output_length: unused, as in TensorFlow 1.15.
      sentinel: first decoder input and last label, [batch, size]; by default zeros.
      name: prefix of node names.

    Returns:
      Three lists of tensors [batch, size].
    """
    with name_scope(name, "seq2seq_inputs", [x, y]):
        inputs, outputs = ops.unstack(x, axis=1), ops.unstack(y, axis=1)
        if not sentinel:
            sentinel = ops.zeros(ops.stack([ops.shape(x)[0], outputs[0].get_shape()[1]]))
            sentinel.set_shape(outputs[0].get_shape())
        return inputs, [sentinel, *outputs], [*outputs, sentinel]


@deprecated(None, _USE)
def rnn_decoder(
    decoder_inputs: list[Any], initial_state: Any, cell: RNNCell, scope: Any = None
) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """Runs a recurrent decoder, which reads its inputs in training and its own outputs in sampling.

    Args:
      decoder_inputs: training inputs, [batch, size] for each step.
      initial_state: initial cell state.
      cell: an RNNCell with equal input and output sizes.
      scope: variable scope, by default "dnn_decoder".

    Returns:
      Four lists: training outputs and states, sampling outputs and states; states include the initial one.
    """
    with variable_scope(scope or "dnn_decoder"):
        states, sampling_states = [initial_state], [initial_state]
        outputs: list = []
        sampling_outputs: list = []
        with name_scope("training", values=[decoder_inputs, initial_state]):
            for i, value in enumerate(decoder_inputs):
                if i > 0:
                    get_variable_scope().reuse_variables()
                output, state = cell(value, states[-1])
                outputs.append(output)
                states.append(state)
        with name_scope("sampling", values=[initial_state]):
            for i in range(len(decoder_inputs)):
                if i == 0:
                    # As in TensorFlow: the initial state rather than the state after the first step.
                    output, state = outputs[0], states[0]
                else:
                    output, state = cell(sampling_outputs[-1], sampling_states[-1])
                sampling_outputs.append(output)
                sampling_states.append(state)
    return outputs, states, sampling_outputs, sampling_states


@deprecated(None, _USE)
def rnn_seq2seq(
    encoder_inputs: list[Any],
    decoder_inputs: list[Any],
    encoder_cell: RNNCell,
    decoder_cell: RNNCell | None = None,
    dtype: DTypeLike = dtypes.float32,
    scope: Any = None,
) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    """Runs a recurrent encoder, and a decoder that starts from its last state.

    Args:
      encoder_inputs, decoder_inputs: [batch, size] for each step.
      encoder_cell: the encoder's RNNCell.
      decoder_cell: the decoder's RNNCell, by default the encoder's.
      dtype: dtype of the encoder's initial state.
      scope: variable scope, by default "rnn_seq2seq".

    Returns:
      The lists of `rnn_decoder`.
    """
    with variable_scope(scope or "rnn_seq2seq"):
        _, last = static_rnn(encoder_cell, encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, last, decoder_cell or encoder_cell)
