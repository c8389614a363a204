"""Decoders that attend to an encoder's outputs, and sequence-to-sequence models with them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.nest.containers import is_sequence
from tfmini._src.base.nest.structure import flatten
from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.legacy_seq2seq.loop_function import (
    check_biases,
    decode_conditionally,
    embed_argmax,
)
from tfmini._src.contrib.rnn.projection_wrappers import (
    EmbeddingWrapper,
    OutputProjectionWrapper,
)
from tfmini._src.nn.rnn.linear import Linear
from tfmini._src.nn.rnn.static_rnn import static_rnn
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope, get_variable, get_variable_scope
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.graph.tensor import Tensor, TensorLike
    from tfmini._src.nn.rnn.rnn_cell import RNNCell


class _Attention:
    """Computes attention-weighted means of the attention states, one per head.

    Bahdanau et al. (2014), https://arxiv.org/abs/1409.0473, with scores as in Vinyals et al. (2014),
    https://arxiv.org/abs/1412.7449.
    """

    def __init__(self, states: Any, heads: int, dtype: Any):
        self.length = dimension_value(states.shape[1])
        if self.length is None:
            self.length = ops.shape(states)[1]
        self.size = dimension_value(states.shape[2])
        self._dtype = dtype
        self._hidden = ops.reshape(states, [-1, self.length, 1, self.size])
        self._features, self._score_weights = [], []
        for head in range(heads):
            kernel = get_variable(f"AttnW_{head}", [1, 1, self.size, self.size], dtype=dtype)
            self._features.append(ops.conv2d(self._hidden, kernel, [1, 1, 1, 1], "SAME"))
            self._score_weights.append(get_variable(f"AttnV_{head}", [self.size], dtype=dtype))

    def __call__(self, query: Any) -> list:
        """Returns the means [batch, size] of all heads for a query, which is a state."""
        if is_sequence(query):
            parts = flatten(query)
            for part in parts:
                assert part.shape.ndims in (None, 2)
            query = ops.concat(parts, 1)
        return [self._head(head, query) for head in range(len(self._score_weights))]

    def _head(self, head: int, query: Any) -> Any:
        with variable_scope(f"Attention_{head}"):
            y = Linear(query, self.size, True)(query)
            y = ops.cast(ops.reshape(y, [-1, 1, 1, self.size]), self._dtype)
            fit = ops.reduce_sum(
                self._score_weights[head] * ops.tanh(self._features[head] + y), [2, 3]
            )
            weights = ops.softmax(ops.cast(fit, dtype=dtypes.float32))
            weights = ops.cast(weights, self._dtype)
            weights = ops.reshape(weights, [-1, self.length, 1, 1])
            mean = ops.reduce_sum(weights * self._hidden, [1, 2])
            return ops.reshape(mean, [-1, self.size])


def attention_decoder(
    decoder_inputs: list[Any],
    initial_state: object,
    attention_states: Tensor,
    cell: RNNCell,
    output_size: int | None = None,
    num_heads: int = 1,
    loop_function: Callable[..., Any] | None = None,
    dtype: DTypeLike | None = None,
    scope: str | VariableScope | None = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """Decodes with attention to encoder states in each step.

    In step i:
      input = linear(decoder_inputs[i], attentions)
      output, state = cell(input, state)
      attentions = means of the attention states, weighted by `state`
      outputs[i] = linear(output, attentions)

    Args:
      decoder_inputs: a list of tensors [batch, size].
      initial_state, cell, loop_function: as in `rnn_decoder`.
      attention_states: [batch, length, depth], the attended states; the depth is static.
      output_size: output size; by default the cell's.
      num_heads: number of attention heads.
      dtype: dtype of the weights; by default the variable scope's.
      scope: variable scope or its name, by default "attention_decoder".
      initial_state_attention: whether the first step attends, based on `initial_state`, instead of using zeros.

    Returns:
      (a list of outputs [batch, output_size], the last state).

    Raises:
      ValueError: if there are no inputs or heads, or a size is statically unknown.
    """
    if not decoder_inputs:
        raise ValueError("Must provide at least 1 input to attention decoder.")
    if num_heads < 1:
        raise ValueError("With less than 1 heads, use a non-attention decoder.")
    if dimension_value(attention_states.shape[2]) is None:
        raise ValueError(f"Shape[2] of attention_states must be known: {attention_states.shape}")
    if output_size is None:
        output_size = cell.output_size
    with variable_scope(scope or "attention_decoder", dtype=dtype) as entered_scope:
        dtype = entered_scope.dtype
        batch_size = ops.shape(decoder_inputs[0])[0]
        attend = _Attention(attention_states, num_heads, dtype)
        shape = ops.stack([batch_size, attend.size])
        attentions = [ops.zeros(shape, dtype=dtype) for _ in range(num_heads)]
        for attention in attentions:
            attention.set_shape([None, attend.size])
        state = initial_state
        outputs: list = []
        if initial_state_attention:
            attentions = attend(initial_state)
        for step, inputs in enumerate(decoder_inputs):
            if step > 0:
                get_variable_scope().reuse_variables()
                if loop_function is not None:
                    with variable_scope("loop_function", reuse=True):
                        inputs = loop_function(outputs[-1], step)
            size = inputs.shape.with_rank(2)[1]
            if dimension_value(size) is None:
                raise ValueError(f"Could not infer input size from input: {inputs.name}")
            merged = [ops.cast(x, dtype) for x in [inputs, *attentions]]
            cell_output, state = cell(Linear(merged, size, True)(merged), state)
            if step == 0 and initial_state_attention:
                with variable_scope(get_variable_scope(), reuse=True):
                    attentions = attend(state)
            else:
                attentions = attend(state)
            with variable_scope("AttnOutputProjection"):
                merged = [ops.cast(cell_output, dtype), *attentions]
                outputs.append(Linear(merged, output_size, True)(merged))
    return outputs, state


def embedding_attention_decoder(
    decoder_inputs: list[Any],
    initial_state: object,
    attention_states: Tensor,
    cell: RNNCell,
    num_symbols: int,
    embedding_size: int,
    num_heads: int = 1,
    output_size: int | None = None,
    output_projection: tuple[Any, Any] | None = None,
    feed_previous: bool = False,
    update_embedding_for_previous: bool = True,
    dtype: DTypeLike | None = None,
    scope: str | VariableScope | None = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """Runs `attention_decoder` on symbols, with the embedding variable `embedding`.

    Args:
      decoder_inputs: a list of int32 tensors [batch].
      initial_state, attention_states, cell, num_heads, output_size, dtype, initial_state_attention: as in
        `attention_decoder`.
      num_symbols, embedding_size, output_projection, feed_previous, update_embedding_for_previous: as in
        `embedding_rnn_decoder`.
      scope: variable scope or its name, by default "embedding_attention_decoder".

    Returns:
      (a list of outputs [batch, output_size], the last state).

    Raises:
      ValueError: if the projection has the wrong shape.
    """
    if output_size is None:
        output_size = cell.output_size
    if output_projection is not None:
        check_biases(output_projection, num_symbols, dtype)
    with variable_scope(scope or "embedding_attention_decoder", dtype=dtype):
        embedding = get_variable("embedding", [num_symbols, embedding_size])
        loop_function = None
        if feed_previous:
            loop_function = embed_argmax(
                embedding, output_projection, update_embedding_for_previous
            )
        return attention_decoder(
            [ops.embedding_lookup(embedding, x) for x in decoder_inputs],
            initial_state,
            attention_states,
            cell,
            output_size=output_size,
            num_heads=num_heads,
            loop_function=loop_function,
            initial_state_attention=initial_state_attention,
        )


def embedding_attention_seq2seq(
    encoder_inputs: list[Any],
    decoder_inputs: list[Any],
    cell: RNNCell,
    num_encoder_symbols: int,
    num_decoder_symbols: int,
    embedding_size: int,
    num_heads: int = 1,
    output_projection: tuple[Any, Any] | None = None,
    feed_previous: TensorLike = False,
    dtype: DTypeLike | None = None,
    scope: str | VariableScope | None = None,
    initial_state_attention: bool = False,
) -> tuple[list[Any], Any]:
    """Encodes symbols with a copy of a cell; decodes symbols with the cell, attending to the encoder's outputs.

    Args:
      cell: an RNNCell; the encoder uses a copy.
      encoder_inputs, decoder_inputs, num_encoder_symbols, num_decoder_symbols, embedding_size, output_projection,
        feed_previous, dtype: as in `embedding_rnn_seq2seq`.
      num_heads: number of attention heads.
      scope: variable scope or its name, by default "embedding_attention_seq2seq".
      initial_state_attention: whether the first step attends too.

    Returns:
      (a list of outputs [batch, output_size], the decoder's last state).
    """
    with variable_scope(scope or "embedding_attention_seq2seq", dtype=dtype) as entered_scope:
        dtype = entered_scope.dtype
        encoder = EmbeddingWrapper(
            copy.deepcopy(cell),
            embedding_classes=num_encoder_symbols,
            embedding_size=embedding_size,
        )
        encoder_outputs, encoder_state = static_rnn(encoder, encoder_inputs, dtype=dtype)
        states = [ops.reshape(e, [-1, 1, cell.output_size]) for e in encoder_outputs]
        attention_states = ops.concat(states, 1)
        output_size = None
        if output_projection is None:
            cell = OutputProjectionWrapper(cell, num_decoder_symbols)
            output_size = num_decoder_symbols

        def decode(feed: bool, update: bool = False) -> tuple[list, Any]:
            return embedding_attention_decoder(
                decoder_inputs,
                encoder_state,
                attention_states,
                cell,
                num_decoder_symbols,
                embedding_size,
                num_heads=num_heads,
                output_size=output_size,
                output_projection=output_projection,
                feed_previous=feed,
                update_embedding_for_previous=update,
                initial_state_attention=initial_state_attention,
            )

        if isinstance(feed_previous, bool):
            return decode(feed_previous, update=True)
        return decode_conditionally(
            feed_previous, decode, len(decoder_inputs), lambda: encoder_state
        )
