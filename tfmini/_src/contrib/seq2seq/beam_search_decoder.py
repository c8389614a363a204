"""BeamSearchDecoder: follows the most likely sequences, several of each example, at once."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten, map_structure
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape, as_shape
from tfmini._src.contrib.seq2seq.beam_search_step import (
    BeamSearchDecoderOutput,
    BeamSearchDecoderState,
    Search,
    attention_probs,
    search_step,
)
from tfmini._src.contrib.seq2seq.decoder import (
    Decoder,
    check_end_token,
    check_start_tokens,
    embedding_function,
    size_behind,
)
from tfmini._src.contrib.seq2seq.tile_batch_and_gather_tree import (
    check_rank_known,
    gather_tree,
    in_order_of_beams,
)
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base_layer import Layer as BaseLayer
from tfmini._src.nn.rnn.checks import check_cell
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray


class FinalBeamSearchDecoderOutput(
    namedtuple("FinalBeamDecoderOutput", ("predicted_ids", "beam_search_decoder_output"))
):
    """The final outputs of a BeamSearchDecoder, as `dynamic_decode` returns them.

    predicted_ids: int32 [batch, time, beams], the sequences, the best first.
    beam_search_decoder_output: what all steps gave, a BeamSearchDecoderOutput.
    """


class BeamSearchDecoder(Decoder):
    """Decodes with a cell, and goes on with the `beam_width` best of all continuations at each step.

    The cell sees a batch of batch * beam_width rows: what it attends to and its first state go through `tile_batch`.

    Args:
      cell: an RNNCell.
      embedding: a function from int32 ids to inputs, or parameters for `tf.nn.embedding_lookup`.
      start_tokens: int32 [batch], the ids of the first step.
      end_token: int32 scalar, the id that ends a sequence.
      initial_state: the cell's state before the first step, tensors [batch * beam_width, ...].
      beam_width: how many sequences of each example are followed.
      output_layer: a layer that the cell's outputs go through, mostly a Dense that makes logits.
      length_penalty_weight: above 0 it favours long sequences.
      coverage_penalty_weight: above 0 it favours sequences that looked at all of the memory.
      reorder_tensor_arrays: whether TensorArrays in the last state are ordered as the sequences are, and
        come as tensors.

    Raises:
      TypeError: if the cell or the layer is none.
      ValueError: if `start_tokens` is not a vector, `end_token` no scalar, or the state's batch is another.

    Example:
      decoder = tf.contrib.seq2seq.BeamSearchDecoder(
          cell, embedding, tf.fill([4], 1), 2, tf.contrib.seq2seq.tile_batch(state, 5), 5, output_layer)
      outputs, _, lengths = tf.contrib.seq2seq.dynamic_decode(decoder, maximum_iterations=20)
      best = outputs.predicted_ids[:, :, 0]
    """

    batch_size: Any = read_only("The size of `start_tokens`.")

    def __init__(
        self,
        cell: Any,
        embedding: Any,
        start_tokens: Any,
        end_token: Any,
        initial_state: Any,
        beam_width: int,
        output_layer: Any = None,
        length_penalty_weight: Any = 0.0,
        coverage_penalty_weight: Any = 0.0,
        reorder_tensor_arrays: bool = True,
    ):
        check_cell("cell", cell)
        if output_layer is not None and not isinstance(output_layer, BaseLayer):
            raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")
        self._cell = cell
        self._output_layer = output_layer
        self._reorder_tensor_arrays = reorder_tensor_arrays
        self._beam_width = beam_width
        self._length_penalty_weight = length_penalty_weight
        self._coverage_penalty_weight = coverage_penalty_weight
        self._embedding_fn = embedding_function(embedding)
        tokens = ops.convert_to_tensor(start_tokens, dtype=dtypes.int32, name="start_tokens")
        check_start_tokens(tokens)
        self._end_token = ops.convert_to_tensor(end_token, dtype=dtypes.int32, name="end_token")
        check_end_token(self._end_token)
        self._batch_size = ops.size(start_tokens)
        self._initial_cell_state = map_structure(
            self._maybe_split_batch_beams, initial_state, cell.state_size
        )
        self._start_tokens = ops.tile(ops.expand_dims(tokens, 1), [1, beam_width])
        self._start_inputs = self._embedding_fn(self._start_tokens)
        # At first the beams are the same: only one of them counts.
        self._finished = ops.one_hot(
            ops.zeros([self._batch_size], dtype=dtypes.int32),
            depth=beam_width,
            on_value=False,
            off_value=True,
            dtype=dtypes.bool,
        )

    def _rnn_output_size(self) -> Any:
        return size_behind(self._output_layer, self._cell.output_size)

    @property
    def tracks_own_finished(self) -> bool:
        """True: sequences move from beam to beam."""
        return True

    @property
    def output_size(self) -> BeamSearchDecoderOutput:
        """[beam_width] for each field."""
        return BeamSearchDecoderOutput(
            scores=TensorShape([self._beam_width]),
            predicted_ids=TensorShape([self._beam_width]),
            parent_ids=TensorShape([self._beam_width]),
        )

    @property
    def output_dtype(self) -> BeamSearchDecoderOutput:
        """The dtype of the state for scores, int32 for ids."""
        dtype = flatten(self._initial_cell_state)[0].dtype
        return BeamSearchDecoderOutput(
            scores=map_structure(lambda _: dtype, self._rnn_output_size()),
            predicted_ids=dtypes.int32,
            parent_ids=dtypes.int32,
        )

    def initialize(self, name: str | None = None) -> tuple[Any, Any, BeamSearchDecoderState]:
        """(finished, inputs, state) of the first step."""
        dtype = flatten(self._initial_cell_state)[0].dtype
        log_probs = ops.one_hot(
            ops.zeros([self._batch_size], dtype=dtypes.int32),
            depth=self._beam_width,
            on_value=ops.convert_to_tensor(0.0, dtype=dtype),
            off_value=ops.convert_to_tensor(-np.inf, dtype=dtype),
            dtype=dtype,
        )
        seen = attention_probs(self._initial_cell_state, self._coverage_penalty_weight)
        state = BeamSearchDecoderState(
            cell_state=self._initial_cell_state,
            log_probs=log_probs,
            finished=self._finished,
            lengths=ops.zeros([self._batch_size, self._beam_width], dtype=dtypes.int64),
            accumulated_attention_probs=() if seen is None else seen,
        )
        return self._finished, self._start_inputs, state

    def step(
        self, time: Any, inputs: TensorLike, state: Any, name: str | None = None
    ) -> tuple[Any, Any, Any, Any]:
        """One step: the cell with all beams, the layer, the best continuations.

        Args:
          time: int32 scalar.
          inputs: tensors [batch, beams, ...].
          state: a BeamSearchDecoderState.
          name: scope name.

        Returns:
          (BeamSearchDecoderOutput, next state, next inputs, finished).
        """
        with name_scope(name, "BeamSearchDecoderStep", (time, inputs, state)):
            inputs = map_structure(
                lambda tensor: self._merge_batch_beams(tensor, tensor.shape[2:]), inputs
            )
            cell_state = map_structure(
                self._maybe_merge_batch_beams, state.cell_state, self._cell.state_size
            )
            outputs, cell_state = self._cell(inputs, cell_state)
            outputs = map_structure(
                lambda tensor: self._split_batch_beams(tensor, tensor.shape[1:]), outputs
            )
            cell_state = map_structure(
                self._maybe_split_batch_beams, cell_state, self._cell.state_size
            )
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            search = Search(
                batch_size=self._batch_size,
                width=self._beam_width,
                end_token=self._end_token,
                length_penalty=self._length_penalty_weight,
                coverage_penalty=self._coverage_penalty_weight,
            )
            output, next_state = search_step(time, outputs, cell_state, state, search)
            next_inputs = ops.cond(
                ops.reduce_all(next_state.finished),
                lambda: self._start_inputs,
                lambda: self._embedding_fn(output.predicted_ids),
            )
        return output, next_state, next_inputs, next_state.finished

    def finalize(
        self, outputs: Any, final_state: Any, sequence_lengths: TensorLike
    ) -> tuple[FinalBeamSearchDecoderOutput, BeamSearchDecoderState]:
        """The whole sequences, read from the last step backwards.

        Args:
          outputs: a BeamSearchDecoderOutput of all steps, [time, batch, beams] each.
          final_state: after the last step.
          sequence_lengths: not used: the state has the lengths.

        Returns:
          (FinalBeamSearchDecoderOutput, the state).
        """
        longest = ops.cast(ops.reduce_max(final_state.lengths, axis=1), dtypes.int32)
        ids = gather_tree(
            outputs.predicted_ids,
            outputs.parent_ids,
            max_sequence_lengths=longest,
            end_token=self._end_token,
        )
        if self._reorder_tensor_arrays:
            cell_state = map_structure(
                lambda part: self._maybe_ordered(part, outputs.parent_ids, final_state.lengths),
                final_state.cell_state,
            )
            final_state = final_state._replace(cell_state=cell_state)
        final_outputs = FinalBeamSearchDecoderOutput(
            beam_search_decoder_output=outputs, predicted_ids=ids
        )
        return final_outputs, final_state

    def _maybe_ordered(self, part: Any, parent_ids: Tensor, lengths: Tensor) -> Any:
        if not isinstance(part, TensorArray):
            return part
        return in_order_of_beams(part, parent_ids, lengths, self._batch_size, self._beam_width)

    def _merge_batch_beams(self, t: Tensor, s: Any = None) -> Tensor:
        """[batch, beams, ...] as [batch * beams, ...]; `s` is what is known of the rest."""
        shape = ops.shape(t)
        known = get_static_value(self._batch_size)
        rows = None if known is None else known * self._beam_width
        merged = ops.reshape(t, ops.concat(([self._batch_size * self._beam_width], shape[2:]), 0))
        merged.set_shape(TensorShape([rows]).concatenate(_static(s)))
        return merged

    def _split_batch_beams(self, t: Tensor, s: Any = None) -> Tensor:
        """[batch * beams, ...] as [batch, beams, ...]; `s` is what is known of the rest."""
        shape = ops.shape(t)
        split = ops.reshape(t, ops.concat(([self._batch_size, self._beam_width], shape[1:]), 0))
        known = get_static_value(self._batch_size)
        expected = TensorShape([known, self._beam_width]).concatenate(_static(s))
        if not split.shape.is_compatible_with(expected):
            raise ValueError(
                "Unexpected behavior when reshaping between beam width and batch size.  The reshaped "
                f"tensor has shape: {split.shape}.  We expected it to have shape (batch_size, "
                f"beam_width, depth) == {expected}.  Perhaps you forgot to create a zero_state with "
                "batch_size=encoder_batch_size * beam_width?"
            )
        split.set_shape(expected)
        return split

    def _maybe_split_batch_beams(self, t: Any, s: Any) -> Any:
        """As `_split_batch_beams`; TensorArrays and scalars as they are."""
        if isinstance(t, TensorArray):
            return t
        check_rank_known(t)
        return self._split_batch_beams(t, s) if t.shape.ndims >= 1 else t

    def _maybe_merge_batch_beams(self, t: Any, s: Any) -> Any:
        """As `_merge_batch_beams`; TensorArrays and what has no beams as they are."""
        if isinstance(t, TensorArray):
            return t
        check_rank_known(t)
        return self._merge_batch_beams(t, s) if t.shape.ndims >= 2 else t


def _static(size: Any) -> TensorShape:
    """A size, an int, a TensorShape or a tensor, as a static shape."""
    return as_shape(get_static_value(size)) if isinstance(size, Tensor) else as_shape(size)
