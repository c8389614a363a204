"""`tf.nn.static_rnn`: unrolls a cell in the graph, with one copy per step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.nest.containers import is_sequence
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.base.shapes import TensorShape, dimension_at_index, dimension_value
from tfmini._src.nn.rnn.checks import (
    cache_variables,
    check_cell,
    check_input_list,
    get_initial_state,
    is_keras_cell,
    state_dtype,
)
from tfmini._src.nn.rnn.rnn_step import Lengths, conditional_step
from tfmini._src.nn.rnn.state_sizes import concat_sizes
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.nn.rnn.rnn_cell import RNNCell
    from tfmini._src.variables.get_variable import VariableScope


@deprecated(
    None,
    "Please use `keras.layers.RNN(cell, unroll=True)`, which is equivalent to this API",
)
def static_rnn(
    cell: RNNCell,
    inputs: Any,
    initial_state: Any = None,
    dtype: DTypeLike | None = None,
    sequence_length: Any = None,
    scope: str | VariableScope | None = None,
) -> tuple[list[Any], Any]:
    """Unrolls a cell over a list of inputs, with separate nodes for each step.

    Args:
      cell: an RNNCell.
      inputs: a list with one input per step: a tensor [batch, size] of known size, or a nested tuple of such
        tensors.
      initial_state: the initial state, in the structure of `cell.state_size`: tensors [batch, n]; by default the cell's
        zero state.
      dtype: dtype of the zero state if there is no initial state, and of the outputs of ended sequences if the state
        has several dtypes.
      sequence_length: int vector [batch]. Past its length, a row outputs zeros and its state does not change;
        steps past the longest length are skipped.
      scope: variable scope, by name or as a VariableScope; default "rnn".

    Returns:
      (outputs, state): a list of the outputs of each step, and the final state.

    Raises:
      TypeError: if `cell` is not a cell, or `inputs` is not a sequence.
      ValueError: if `inputs` is empty, an input size is unknown, batch sizes differ, or `sequence_length` is not a
        vector; if both `initial_state` and `dtype` are missing.

    Example: `tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)` for x [batch, time, size].
    """
    check_cell("cell", cell)
    check_input_list(inputs)
    with variable_scope(scope or "rnn") as variables:
        cache_variables(variables)
        first = inputs
        while is_sequence(first):
            first = first[0]
        known_size = _check_inputs(first, inputs)
        batch_size = known_size or ops.shape(first)[0]
        if initial_state is not None:
            state = initial_state
        elif dtype:
            state = get_initial_state(cell, batch_size, dtype)
        else:
            raise ValueError("If no initial_state is provided, dtype must be specified")
        lengths = zero_output = None
        if sequence_length is not None:
            sequence_length = ops.convert_to_tensor(sequence_length, name="sequence_length")
            if sequence_length.get_shape().ndims not in (None, 1):
                raise ValueError("sequence_length must be a vector of length batch_size")
            zeros_dtype = state_dtype(dtype, state)
            zeros = [
                _zeros(batch_size, known_size, size, zeros_dtype)
                for size in flatten(cell.output_size)
            ]
            zero_output = pack_sequence_as(cell.output_size, zeros)
            lengths = Lengths(ops.cast(sequence_length, dtypes.int32))
        keras = is_keras_cell(cell)
        if keras and not is_sequence(state):
            state = [state]
        outputs = []
        for time, value in enumerate(inputs):
            if time > 0:
                variables.reuse_variables()
            if lengths is None:
                output, state = cell(value, state)
            else:
                output, state = conditional_step(
                    time,
                    lengths,
                    zero_output,
                    state,
                    lambda: cell(value, state),  # noqa: B023
                )
            outputs.append(output)
        if keras and len(state) == 1:
            state = state[0]
        return outputs, state


def _check_inputs(first: Any, inputs: Any) -> int | None:
    """Checks that inputs have known sizes and equal batch sizes; returns the static batch size of the first input."""
    if first.get_shape().ndims == 1:  # indices for an embedding cell
        return dimension_value(first.get_shape()[0])
    rows = first.get_shape().with_rank_at_least(2).dims[0]
    for tensor in flatten(inputs):
        shape = tensor.get_shape().with_rank_at_least(2)
        rows.merge_with(dimension_at_index(shape, 0))
        sizes: Any = shape[1:].dims
        for dimension, size in enumerate(sizes):
            if size.value is None:
                raise ValueError(
                    f"Input size (dimension {dimension} of inputs) must be accessible via "
                    "shape inference, but saw value None."
                )
    return rows.value


def _zeros(batch_size: Any, known_size: int | None, size: Any, dtype: Any) -> Any:
    """Returns the output for rows whose sequence has ended: zeros."""
    zeros = ops.zeros(ops.stack(concat_sizes(batch_size, size)), dtype)
    zeros.set_shape(TensorShape(concat_sizes(known_size, size, static=True)))
    return zeros
