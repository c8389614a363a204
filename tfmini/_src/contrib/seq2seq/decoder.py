"""Step-by-step decoders, and the loop that runs them."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import assert_same_structure, map_structure
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.rnn.checks import cache_variables
from tfmini._src.nn.rnn.rnn_cell import _zero_state_tensors
from tfmini._src.nn.rnn.state_sizes import swap_batch_and_time
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable_scope import variable_scope


class Decoder(abc.ABC):
    """A decoder for `dynamic_decode`: provides the initial inputs and state, and computes the next ones in each step.

    Inputs are a tensor or a nested structure of tensors, a state is one of tensors and TensorArrays, `finished` is bool
    [batch], true for sequences that have ended, and outputs are a nested structure of tensors, which `dynamic_decode`
    returns for all steps.
    """

    @property
    def batch_size(self) -> Any:
        """Number of sequences in the batch, an int or int32 scalar."""
        raise NotImplementedError

    @property
    def output_size(self) -> Any:
        """Output sizes without batch and time, ints or TensorShapes in the outputs' structure."""
        raise NotImplementedError

    @property
    def output_dtype(self) -> Any:
        """Output dtypes, in the outputs' structure."""
        raise NotImplementedError

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> tuple[Any, Any, Any]:
        """Returns the initial values; called once, before the loop.

        Returns:
          (finished, inputs, state) for the first step.
        """
        raise NotImplementedError

    @abc.abstractmethod
    def step(
        self, time: Tensor, inputs: TensorLike, state: Any, name: str | None = None
    ) -> tuple[Any, Any, Any, Any]:
        """Computes one step; called once, to build the loop body.

        Args:
          time: int32 scalar, the step index.
          inputs: this step's inputs.
          state: the previous state.

        Returns:
          (outputs, next state, next inputs, finished).
        """
        raise NotImplementedError

    def finalize(
        self, outputs: Any, final_state: Any, sequence_lengths: TensorLike
    ) -> tuple[Any, Any]:
        """Finalizes the outputs and the state; called once after the loop, if the decoder implements it.

        Args:
          outputs: all steps' outputs, [time, batch, ...].
          final_state: the final state.
          sequence_lengths: int32 [batch].

        Returns:
          (outputs, final state) for `dynamic_decode` to return.
        """
        raise NotImplementedError

    @property
    def tracks_own_finished(self) -> bool:
        """Whether to use `finished` as returned by `step`; otherwise, finished sequences stay finished.

        True for decoders that move sequences between rows.
        """
        return False


def dynamic_decode(
    decoder: Any,
    output_time_major: bool = False,
    impute_finished: bool = False,
    maximum_iterations: TensorLike | None = None,
    parallel_iterations: int = 32,
    swap_memory: bool = False,
    scope: str | VariableScope | None = None,
    **kwargs: Any,
) -> tuple[Any, Any, Any]:
    """Runs a decoder until all of its sequences have ended.

    Args:
      decoder: a Decoder.
      output_time_major: whether outputs are [time, batch, ...], which saves a transposition.
      impute_finished: whether finished sequences keep their state and output zeros.
      maximum_iterations: int32 scalar, maximum number of steps.
      parallel_iterations, swap_memory: recorded in the graph, otherwise ignored.
      scope: variable scope name, or a VariableScope; by default "decoder".
      **kwargs: ignored.

    Returns:
      (outputs, state, lengths): all steps' outputs, [batch, time, ...], in the decoder's structure; the final state;
        the sequence lengths, int32 [batch].

    Raises:
      TypeError: if `decoder` is not a Decoder.
      ValueError: if `maximum_iterations` is not a scalar.

    Example:
      decoder = tf.contrib.seq2seq.BasicDecoder(cell, helper, cell.zero_state(4, tf.float32))
      outputs, state, lengths = tf.contrib.seq2seq.dynamic_decode(decoder, maximum_iterations=20)
    """
    if not isinstance(decoder, Decoder):
        raise TypeError(f"Expected decoder to be type Decoder, but saw: {type(decoder)}")
    with variable_scope(scope, "decoder") as variables:
        cache_variables(variables)
        if maximum_iterations is not None:
            maximum_iterations = ops.convert_to_tensor(
                maximum_iterations, dtype=dtypes.int32, name="maximum_iterations"
            )
            if maximum_iterations.get_shape().ndims != 0:
                raise ValueError("maximum_iterations must be a scalar")
        finished, inputs, state = decoder.initialize()
        zeros = map_structure(
            lambda size, dtype: _zero_state_tensors(size, decoder.batch_size, dtype),
            decoder.output_size,
            decoder.output_dtype,
        )
        if maximum_iterations is not None:
            finished = ops.logical_or(finished, 0 >= maximum_iterations)
        lengths = ops.zeros_like(finished, dtype=dtypes.int32)
        time = ops.constant(0, dtype=dtypes.int32)
        arrays = map_structure(
            lambda size, dtype: TensorArray(
                dtype=dtype,
                size=0,
                dynamic_size=True,
                element_shape=_element_shape(decoder.batch_size, size),
            ),
            decoder.output_size,
            decoder.output_dtype,
        )
        _, arrays, final_state, _, _, lengths = ops.while_loop(
            lambda _time, _arrays, _state, _inputs, is_finished, _lengths: ops.logical_not(
                ops.reduce_all(is_finished)
            ),
            _iteration(decoder, zeros if impute_finished else None),
            loop_vars=(time, arrays, state, inputs, finished, lengths),
            parallel_iterations=parallel_iterations,
            maximum_iterations=maximum_iterations,
            swap_memory=swap_memory,
        )
        outputs = map_structure(lambda array: array.stack(), arrays)
        outputs, final_state = _finalize(decoder, outputs, final_state, lengths)
        if not output_time_major:
            outputs = map_structure(swap_batch_and_time, outputs)
    return outputs, final_state, lengths


def _iteration(decoder: Decoder, zeros: Any) -> Callable:
    """Returns the loop body: runs a decoder step, writes outputs (zeros after the end) and counts lengths."""

    def step(
        time: Any, arrays: Any, state: Any, inputs: Any, is_finished: Any, lengths: Any
    ) -> tuple[Any, ...]:
        outputs, next_state, next_inputs, next_ended = decoder.step(time, inputs, state)
        if not decoder.tracks_own_finished:
            next_ended = ops.logical_or(next_ended, is_finished)
        lengths = ops.where(
            ops.logical_not(is_finished), ops.fill(ops.shape(lengths), time + 1), lengths
        )
        assert_same_structure(state, next_state)
        assert_same_structure(arrays, outputs)
        assert_same_structure(inputs, next_inputs)
        if zeros is not None:
            outputs = map_structure(
                lambda output, zero: ops.where(is_finished, zero, output), outputs, zeros
            )
            next_state = map_structure(
                lambda new, old: _freeze_finished(is_finished, new, old), next_state, state
            )
        arrays = map_structure(lambda array, output: array.write(time, output), arrays, outputs)
        return time + 1, arrays, next_state, next_inputs, next_ended, lengths

    return step


def _finalize(decoder: Decoder, outputs: Any, state: Any, lengths: Any) -> tuple[Any, Any]:
    """Returns the outputs and state finalized by the decoder; unchanged if it does not implement `finalize`."""
    try:
        return decoder.finalize(outputs, state, lengths)
    except NotImplementedError:
        return outputs, state


def _element_shape(batch_size: Any, size: Any) -> TensorShape | None:
    """Returns the static shape of a step's output; None if the size is not a TensorShape or is a scalar."""
    if not isinstance(size, TensorShape) or size.ndims == 0:
        return None
    static = get_static_value(ops.convert_to_tensor(batch_size, name="batch_size"))
    return TensorShape([static]).concatenate(size)


def _freeze_finished(is_finished: Any, new: Any, old: Any) -> Any:
    """Keeps the old state in finished rows; TensorArrays and scalars are always new."""
    if isinstance(old, TensorArray):
        return new
    new.set_shape(old.shape)
    return new if new.shape.ndims == 0 else ops.where(is_finished, old, new)


def embedding_function(embedding: Any) -> Any:
    """Returns a function from ids to inputs: `embedding` itself if callable, else a lookup in it."""
    if callable(embedding):
        return embedding
    return lambda ids: ops.embedding_lookup(embedding, ids)


def layer_output_size(layer: Any, size: Any) -> Any:
    """Returns the output sizes of `layer` for a cell's outputs, without the batch, or `size` without a layer."""
    if layer is None:
        return size
    with_batch = map_structure(lambda s: TensorShape([None]).concatenate(s), size)
    return map_structure(lambda shape: shape[1:], layer.compute_output_shape(with_batch))


def check_start_tokens(start_tokens: Tensor) -> None:
    """Raises ValueError unless the start tokens are a vector."""
    if start_tokens.get_shape().ndims != 1:
        raise ValueError("start_tokens must be a vector")


def check_end_token(end_token: Tensor) -> None:
    """Raises ValueError unless the end token is a scalar."""
    if end_token.get_shape().ndims != 0:
        raise ValueError("end_token must be a scalar")
