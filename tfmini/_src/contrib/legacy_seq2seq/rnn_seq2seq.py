"""Models that encode a sequence with one cell and decode it with another, without attention."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.contrib.legacy_seq2seq.loop_function import (
    check_projection,
    decode_conditionally,
    embed_argmax,
)
from tfmini._src.contrib.legacy_seq2seq.rnn_decoder import embedding_rnn_decoder, rnn_decoder
from tfmini._src.contrib.rnn.projection_wrappers import (
    EmbeddingWrapper,
    OutputProjectionWrapper,
)
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.rnn.rnn_cell import RNNCell
from tfmini._src.nn.rnn.static_rnn import static_rnn
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope, get_variable, get_variable_scope
from tfmini._src.variables.variable_scope import variable_scope


def basic_rnn_seq2seq(
    encoder_inputs: list[Any],
    decoder_inputs: list[Any],
    cell: RNNCell,
    dtype: DTypeLike = dtypes.float32,
    scope: str | VariableScope | None = None,
) -> tuple[list[Any], Any]:
    """Encodes `encoder_inputs` with a copy of the cell; decodes `decoder_inputs` with the cell, from its state.

    Args:
      encoder_inputs, decoder_inputs: lists of tensors [batch, size].
      cell: an RNNCell.
      dtype: dtype of the initial state.
      scope: variable scope or its name, by default "basic_rnn_seq2seq".

    Returns:
      (a list of outputs [batch, output_size], the final state).
    """
    with variable_scope(scope or "basic_rnn_seq2seq"):
        encoder = copy.deepcopy(cell)
        _, state = static_rnn(encoder, encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def tied_rnn_seq2seq(
    encoder_inputs: list[Any],
    decoder_inputs: list[Any],
    cell: RNNCell,
    loop_function: Callable[..., Any] | None = None,
    dtype: DTypeLike = dtypes.float32,
    scope: str | VariableScope | None = None,
) -> tuple[list[Any], Any]:
    """Encodes `encoder_inputs` and decodes `decoder_inputs` with the same weights.

    Args:
      encoder_inputs, decoder_inputs: lists of tensors [batch, size].
      cell: an RNNCell.
      loop_function: function of (previous output, step number) that computes each input after the first, or None.
      dtype: dtype of the initial state.
      scope: variable scope or its name, by default "tied_rnn_seq2seq".

    Returns:
      (a list of outputs [batch, output_size], the final state).
    """
    with variable_scope("combined_tied_rnn_seq2seq"):
        scope = scope or "tied_rnn_seq2seq"
        _, state = static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function=loop_function, scope=scope)


def embedding_rnn_seq2seq(
    encoder_inputs: list[Any],
    decoder_inputs: list[Any],
    cell: RNNCell,
    num_encoder_symbols: int,
    num_decoder_symbols: int,
    embedding_size: int,
    output_projection: tuple[Any, Any] | None = None,
    feed_previous: TensorLike = False,
    dtype: DTypeLike | None = None,
    scope: str | VariableScope | None = None,
) -> tuple[list[Any], Any]:
    """Encodes symbols with a copy of the cell; decodes symbols with the cell, from its state.

    Args:
      encoder_inputs, decoder_inputs: lists of int32 tensors [batch].
      cell: an RNNCell.
      num_encoder_symbols, num_decoder_symbols: number of symbols.
      embedding_size: size of the embeddings.
      output_projection: (weights [output_size, num_decoder_symbols], biases) from outputs to logits; None for outputs
        [batch, num_decoder_symbols].
      feed_previous: whether decoder inputs after the first are the most likely symbols of the previous step; a bool or
        a bool tensor.
      dtype: dtype of weights and states; by default the variable scope's.
      scope: variable scope or its name, by default "embedding_rnn_seq2seq".

    Returns:
      (a list of outputs [batch, output_size], the decoder's last state).
    """
    with variable_scope(scope or "embedding_rnn_seq2seq") as entered_scope:
        if dtype is not None:
            entered_scope.set_dtype(dtype)
        encoder = EmbeddingWrapper(
            copy.deepcopy(cell),
            embedding_classes=num_encoder_symbols,
            embedding_size=embedding_size,
        )
        _, encoder_state = static_rnn(encoder, encoder_inputs, dtype=entered_scope.dtype)
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)

        def decode(feed: bool, update: bool = False) -> tuple[list, Any]:
            return embedding_rnn_decoder(
                decoder_inputs,
                encoder_state,
                cell,
                num_decoder_symbols,
                embedding_size,
                output_projection=output_projection,
                feed_previous=feed,
                update_embedding_for_previous=update,
            )

        if isinstance(feed_previous, bool):
            return decode(feed_previous, update=True)
        return decode_conditionally(
            feed_previous, decode, len(decoder_inputs), lambda: encoder_state
        )


def embedding_tied_rnn_seq2seq(
    encoder_inputs: list[Any],
    decoder_inputs: list[Any],
    cell: RNNCell,
    num_symbols: int,
    embedding_size: int,
    num_decoder_symbols: int | None = None,
    output_projection: tuple[Any, Any] | None = None,
    feed_previous: TensorLike = False,
    dtype: DTypeLike | None = None,
    scope: str | VariableScope | None = None,
) -> tuple[list[Any], Any]:
    """Encodes and decodes symbols with the same cell and embeddings.

    Args:
      encoder_inputs, decoder_inputs, cell, embedding_size, feed_previous, dtype: as in `embedding_rnn_seq2seq`.
      num_symbols: number of symbols.
      num_decoder_symbols: number of decoder symbols; by default `num_symbols`.
      output_projection: (weights [output_size, num_symbols], biases) from outputs to logits; None for outputs
        [batch, num_decoder_symbols].
      scope: variable scope or its name, by default "embedding_tied_rnn_seq2seq".

    Returns:
      (a list of outputs [batch, output_size], the last state).

    Raises:
      ValueError: if the projection has the wrong shape.
    """
    with variable_scope(scope or "embedding_tied_rnn_seq2seq", dtype=dtype) as entered_scope:
        dtype = entered_scope.dtype
        if output_projection is not None:
            check_projection(output_projection, num_symbols, dtype)
        embedding = get_variable("embedding", [num_symbols, embedding_size], dtype=dtype)
        read = [ops.embedding_lookup(embedding, x) for x in encoder_inputs]
        decoder_embeddings = [ops.embedding_lookup(embedding, x) for x in decoder_inputs]
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols or num_symbols)

        def decode(feed: bool, update: bool = False) -> tuple[list, Any]:
            loop_function = None
            if feed:
                loop_function = embed_argmax(embedding, output_projection, update)
            return tied_rnn_seq2seq(
                read, decoder_embeddings, cell, loop_function=loop_function, dtype=dtype
            )

        if isinstance(feed_previous, bool):
            return decode(feed_previous, update=True)

        def zero_state() -> Any:
            batch = encoder_inputs[0].shape[0]
            for other in encoder_inputs[1:]:
                batch.merge_with(other.shape[0])
            size = ops.shape(encoder_inputs[0])[0] if batch.value is None else batch.value
            return cell.zero_state(size, dtype)

        return decode_conditionally(feed_previous, decode, len(decoder_inputs), zero_state)


def one2many_rnn_seq2seq(
    encoder_inputs: list[Any],
    decoder_inputs_dict: dict[str, list[Any]],
    enc_cell: RNNCell,
    dec_cells_dict: dict[str, Any],
    num_encoder_symbols: int,
    num_decoder_symbols_dict: dict[str, int],
    embedding_size: int,
    feed_previous: TensorLike = False,
    dtype: DTypeLike | None = None,
    scope: str | VariableScope | None = None,
) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Encodes symbols with one cell and decodes from its state with one cell per task.

    Luong et al. (2015), https://arxiv.org/abs/1511.06114.

    Args:
      encoder_inputs: a list of int32 tensors [batch].
      decoder_inputs_dict: a list of inputs for each decoder, by name.
      enc_cell: the RNNCell of the encoder.
      dec_cells_dict: an RNNCell for each decoder, by name.
      num_encoder_symbols: number of input symbols.
      num_decoder_symbols_dict: number of symbols per decoder, by name.
      embedding_size, feed_previous, dtype: as in `embedding_rnn_seq2seq`.
      scope: variable scope or its name, by default "one2many_rnn_seq2seq".

    Returns:
      (a dict from name to list of outputs [batch, symbols], a dict from name to last state).

    Raises:
      TypeError: if a cell is not an RNNCell.
      ValueError: if the keys of the dicts differ.
    """
    if not isinstance(enc_cell, RNNCell):
        raise TypeError(f"enc_cell is not an RNNCell: {type(enc_cell)}")
    if set(dec_cells_dict) != set(decoder_inputs_dict):
        raise ValueError("keys of dec_cells_dict != keys of decodre_inputs_dict")
    for cell in dec_cells_dict.values():
        if not isinstance(cell, RNNCell):
            raise TypeError(f"dec_cell is not an RNNCell: {type(cell)}")
    outputs, states = {}, {}
    with variable_scope(scope or "one2many_rnn_seq2seq", dtype=dtype) as entered_scope:
        encoder = EmbeddingWrapper(
            enc_cell, embedding_classes=num_encoder_symbols, embedding_size=embedding_size
        )
        _, encoder_state = static_rnn(encoder, encoder_inputs, dtype=entered_scope.dtype)
        for name, decoder_inputs in decoder_inputs_dict.items():
            symbols = num_decoder_symbols_dict[name]
            with variable_scope(f"one2many_decoder_{name}"):
                decode = _embedding_decoder(
                    decoder_inputs,
                    encoder_state,
                    OutputProjectionWrapper(dec_cells_dict[name], symbols),
                    symbols,
                    embedding_size,
                )
                if isinstance(feed_previous, bool):
                    outputs[name], states[name] = decode(feed_previous)
                else:
                    outputs[name], states[name] = decode_conditionally(
                        feed_previous, decode, len(decoder_inputs), lambda: encoder_state
                    )
    return outputs, states


def _embedding_decoder(inputs: list, state: Any, cell: Any, symbols: int, size: int) -> Callable:
    """Returns a function from a bool (whether to feed back the last output) to the decoder's results."""
    return lambda feed: embedding_rnn_decoder(
        inputs, state, cell, symbols, size, feed_previous=feed
    )
