"""Decoders: a cell applied step by step from an initial state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from tfmini._src.contrib.legacy_seq2seq.loop_function import check_projection, embed_argmax
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope, get_variable, get_variable_scope
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.nn.rnn.rnn_cell import RNNCell


def rnn_decoder(
    decoder_inputs: Iterable[Any],
    initial_state: object,
    cell: RNNCell,
    loop_function: Callable[..., Any] | None = None,
    scope: str | VariableScope | None = None,
) -> tuple[list[Any], Any]:
    """Applies a cell to a list of inputs, step by step.

    Args:
      decoder_inputs: a list of tensors [batch, size].
      initial_state: initial state.
      cell: an RNNCell.
      loop_function: function of (previous output, step number) that computes each input after the first, or None.
      scope: variable scope or its name, by default "rnn_decoder".

    Returns:
      (a list of outputs [batch, output_size], the last state).
    """
    with variable_scope(scope or "rnn_decoder"):
        state = initial_state
        outputs: list = []
        for step, inputs in enumerate(decoder_inputs):
            if loop_function is not None and step > 0:
                with variable_scope("loop_function", reuse=True):
                    inputs = loop_function(outputs[-1], step)
            if step > 0:
                get_variable_scope().reuse_variables()
            output, state = cell(inputs, state)
            outputs.append(output)
    return outputs, state


def embedding_rnn_decoder(
    decoder_inputs: list[Any],
    initial_state: object,
    cell: RNNCell,
    num_symbols: int,
    embedding_size: int,
    output_projection: tuple[Any, Any] | None = None,
    feed_previous: bool = False,
    update_embedding_for_previous: bool = True,
    scope: str | VariableScope | None = None,
) -> tuple[list[Any], Any]:
    """Runs `rnn_decoder` on symbols, with the embedding variable `embedding`.

    Args:
      decoder_inputs: a list of int32 tensors [batch].
      initial_state: initial state.
      cell: an RNNCell.
      num_symbols: number of symbols.
      embedding_size: size of the embeddings.
      output_projection: None, or (weights [output_size, num_symbols], biases) from outputs to logits.
      feed_previous: whether inputs after the first are the most likely symbols of the previous step.
      update_embedding_for_previous: whether gradients flow into the embeddings of such symbols.
      scope: variable scope or its name, by default "embedding_rnn_decoder".

    Returns:
      (a list of outputs [batch, output_size], the last state).

    Raises:
      ValueError: if the projection has the wrong shape.
    """
    with variable_scope(scope or "embedding_rnn_decoder") as entered_scope:
        if output_projection is not None:
            check_projection(output_projection, num_symbols, entered_scope.dtype)
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop_function = None
        if feed_previous:
            loop_function = embed_argmax(
                embedding, output_projection, update_embedding_for_previous
            )
        vectors = (ops.embedding_lookup(embedding, x) for x in decoder_inputs)
        return rnn_decoder(vectors, initial_state, cell, loop_function=loop_function)
