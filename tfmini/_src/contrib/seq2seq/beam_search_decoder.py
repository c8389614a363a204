"""BeamSearchDecoder: tracks the most likely sequences of each example in parallel."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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
from tfmini._src.contrib.seq2seq.beam_tensors import (
    check_rank_known,
    gather_tree,
    sort_array_by_beams,
)
from tfmini._src.contrib.seq2seq.decoder import (
    Decoder,
    check_end_token,
    check_start_tokens,
    embedding_function,
    layer_output_size,
)
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base_layer import Layer, Layer as BaseLayer
from tfmini._src.nn.rnn.checks import check_cell
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray

if TYPE_CHECKING:
    from tfmini._src.nn.rnn.rnn_cell import RNNCell


class FinalBeamSearchDecoderOutput(
    namedtuple("FinalBeamDecoderOutput", ("predicted_ids", "beam_search_decoder_output"))
):
    """Final outputs of a BeamSearchDecoder, as returned by `dynamic_decode`.

    predicted_ids: int32 [batch, time, beams], the sequences, best first.
    beam_search_decoder_output: outputs of all steps, a BeamSearchDecoderOutput.
    """


class BeamSearchDecoder(Decoder):
    """Decodes with a cell, keeping the `beam_width` best continuations at each step.

    The cell's batch size is batch * beam_width: apply `tile_batch` to its attention memory and initial state.

    Args:
      cell: an RNNCell.
      embedding: a function from int32 ids to inputs, or parameters for `tf.nn.embedding_lookup`.
      start_tokens: int32 [batch], ids of the first step.
      end_token: int32 scalar, the id that ends a sequence.
      initial_state: the cell's initial state, tensors [batch * beam_width, ...].
      beam_width: number of sequences per example.
      output_layer: layer applied to the cell's outputs, usually a Dense for logits.
      length_penalty_weight: positive values favor long sequences.
      coverage_penalty_weight: positive values favor sequences that attend to the whole memory.
      reorder_tensor_arrays: whether to convert TensorArrays in the final state to tensors ordered like the sequences.

    Raises:
      TypeError: if the cell or layer has the wrong type.
      ValueError: if `start_tokens` is not a vector, `end_token` is not a scalar, or the state's batch size differs.

    Example:
      decoder = tf.contrib.seq2seq.BeamSearchDecoder(
          cell, embedding, tf.fill([4], 1), 2, tf.contrib.seq2seq.tile_batch(state, 5), 5, output_layer)
      outputs, _, lengths = tf.contrib.seq2seq.dynamic_decode(decoder, maximum_iterations=20)
      best = outputs.predicted_ids[:, :, 0]
    """

    batch_size: Any = read_only("The size of `start_tokens`.")

    def __init__(
        self,
        cell: RNNCell,
        embedding: TensorLike | Callable[..., Any],
        start_tokens: TensorLike,
        end_token: TensorLike,
        initial_state: object,
        beam_width: int,
        output_layer: Layer | None = None,
        length_penalty_weight: TensorLike = 0.0,
        coverage_penalty_weight: TensorLike = 0.0,
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
        # Initially, all beams are equal, so only one of them counts.
        self._finished = ops.one_hot(
            ops.zeros([self._batch_size], dtype=dtypes.int32),
            depth=beam_width,
            on_value=False,
            off_value=True,
            dtype=dtypes.bool,
        )

    def _rnn_output_size(self) -> Any:
        return layer_output_size(self._output_layer, self._cell.output_size)

    @property
    def tracks_own_finished(self) -> bool:
        """Always True: sequences move between beams."""
        return True

    @property
    def output_size(self) -> BeamSearchDecoderOutput:
        """Output sizes, [beam_width] for each field."""
        return BeamSearchDecoderOutput(
            scores=TensorShape([self._beam_width]),
            predicted_ids=TensorShape([self._beam_width]),
            parent_ids=TensorShape([self._beam_width]),
        )

    @property
    def output_dtype(self) -> BeamSearchDecoderOutput:
        """Output dtypes: the state's dtype for scores, int32 for ids."""
        dtype = flatten(self._initial_cell_state)[0].dtype
        return BeamSearchDecoderOutput(
            scores=map_structure(lambda _: dtype, self._rnn_output_size()),
            predicted_ids=dtypes.int32,
            parent_ids=dtypes.int32,
        )

    def initialize(self, name: str | None = None) -> tuple[Any, Any, BeamSearchDecoderState]:
        """Returns (finished, inputs, state) for the first step."""
        dtype = flatten(self._initial_cell_state)[0].dtype
        log_probs = ops.one_hot(
            ops.zeros([self._batch_size], dtype=dtypes.int32),
            depth=self._beam_width,
            on_value=ops.convert_to_tensor(0.0, dtype=dtype),
            off_value=ops.convert_to_tensor(-np.inf, dtype=dtype),
            dtype=dtype,
        )
        coverage = attention_probs(self._initial_cell_state, self._coverage_penalty_weight)
        state = BeamSearchDecoderState(
            cell_state=self._initial_cell_state,
            log_probs=log_probs,
            finished=self._finished,
            lengths=ops.zeros([self._batch_size, self._beam_width], dtype=dtypes.int64),
            accumulated_attention_probs=() if coverage is None else coverage,
        )
        return self._finished, self._start_inputs, state

    def step(
        self, time: Tensor, inputs: TensorLike, state: Any, name: str | None = None
    ) -> tuple[Any, Any, Any, Any]:
        """Computes one step: applies the cell and the output layer to all beams, and selects the best continuations.

        Args:
          time: int32 scalar.
          inputs: tensors [batch, beams, ...].
          state: a BeamSearchDecoderState.

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
        """Traces the sequences back from the last step, and returns them.

        Args:
          outputs: a BeamSearchDecoderOutput of all steps, with tensors [time, batch, beams].
          final_state: the final state.
          sequence_lengths: ignored in favor of the state's lengths.

        Returns:
          (FinalBeamSearchDecoderOutput, the state).
        """
        max_length = ops.cast(ops.reduce_max(final_state.lengths, axis=1), dtypes.int32)
        ids = gather_tree(
            outputs.predicted_ids,
            outputs.parent_ids,
            max_sequence_lengths=max_length,
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
        return sort_array_by_beams(part, parent_ids, lengths, self._batch_size, self._beam_width)

    def _merge_batch_beams(self, t: Tensor, s: Any = None) -> Tensor:
        """Reshapes [batch, beams, ...] to [batch * beams, ...]; `s` is the static shape of the rest."""
        shape = ops.shape(t)
        static = get_static_value(self._batch_size)
        rows = None if static is None else static * self._beam_width
        merged = ops.reshape(t, ops.concat(([self._batch_size * self._beam_width], shape[2:]), 0))
        merged.set_shape(TensorShape([rows]).concatenate(_static_shape(s)))
        return merged

    def _split_batch_beams(self, t: Tensor, s: Any = None) -> Tensor:
        """Reshapes [batch * beams, ...] to [batch, beams, ...]; `s` is the static shape of the rest."""
        shape = ops.shape(t)
        split = ops.reshape(t, ops.concat(([self._batch_size, self._beam_width], shape[1:]), 0))
        static = get_static_value(self._batch_size)
        expected = TensorShape([static, self._beam_width]).concatenate(_static_shape(s))
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
        """Calls `_split_batch_beams`; returns TensorArrays and scalars unchanged."""
        if isinstance(t, TensorArray):
            return t
        check_rank_known(t)
        return self._split_batch_beams(t, s) if t.shape.ndims >= 1 else t

    def _maybe_merge_batch_beams(self, t: Any, s: Any) -> Any:
        """Calls `_merge_batch_beams`; returns TensorArrays and values without beams unchanged."""
        if isinstance(t, TensorArray):
            return t
        check_rank_known(t)
        return self._merge_batch_beams(t, s) if t.shape.ndims >= 2 else t


def _static_shape(size: Any) -> TensorShape:
    """Returns a size (int, TensorShape or tensor) as a static shape."""
    return as_shape(get_static_value(size)) if isinstance(size, Tensor) else as_shape(size)
