"""`tf.nn.dynamic_rnn`: runs a cell in a while loop, for a dynamic number of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.rnn.checks import cache_variables, check_cell, get_initial_state
from tfmini._src.nn.rnn.dynamic_loop import run_loop
from tfmini._src.nn.rnn.state_sizes import infer_batch_size, swap_batch_and_time
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.nn.rnn.rnn_cell import RNNCell
    from tfmini._src.variables.get_variable import VariableScope


@deprecated(None, "Please use `keras.layers.RNN(cell)`, which is equivalent to this API")
def dynamic_rnn(
    cell: RNNCell,
    inputs: TensorLike,
    sequence_length: TensorLike | None = None,
    initial_state: object = None,
    dtype: DTypeLike | None = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: str | VariableScope | None = None,
) -> tuple[Any, Any]:
    """Unrolls a cell over the inputs in a while loop.

    Args:
      cell: an RNNCell.
      inputs: a tensor [batch, time, ...], or a nested tuple of these, passed to the cell in the same structure, without
        the time dimension. All dimensions after batch and time must be static.
      sequence_length: int vector [batch]. Past its length, a row outputs zeros and its state does not change.
      initial_state: the initial state, in the structure of `cell.state_size`: tensors [batch, n]; by default the cell's
        zero state.
      dtype: dtype of the zero state if there is no initial state, and of the outputs if the state has several dtypes.
      parallel_iterations: recorded in the graph (default 32), otherwise unused: steps run sequentially.
      swap_memory: recorded in the graph, otherwise unused.
      time_major: whether inputs and outputs are [time, batch, ...], which avoids transposes.
      scope: variable scope, by name or as a VariableScope; default "rnn".

    Returns:
      (outputs, state): the outputs of all steps, a tensor [batch, time, cell.output_size], or a nested tuple of
      these in the structure of `cell.output_size`; and the last state.

    Raises:
      TypeError: if `cell` is not a cell.
      ValueError: for an unknown input size, different batch sizes or numbers of steps, or a `sequence_length` that is
        not a vector; if both `initial_state` and `dtype` are missing.
      InvalidArgumentError (when run): if `sequence_length` does not match the batch size.

    Example: `outputs, state = tf.nn.dynamic_rnn(cell, x, lengths, dtype=tf.float32)`.
    """
    check_cell("cell", cell)
    with variable_scope(scope or "rnn") as variables:
        cache_variables(variables)
        flat_inputs: Any = flatten(inputs)
        if not time_major:
            flat_inputs = [ops.convert_to_tensor(tensor) for tensor in flat_inputs]
            flat_inputs = tuple(swap_batch_and_time(tensor) for tensor in flat_inputs)
        if sequence_length is not None:
            sequence_length = _convert_lengths(sequence_length)
        batch_size = infer_batch_size(flat_inputs)
        if initial_state is not None:
            state = initial_state
        elif dtype:
            state = get_initial_state(cell, batch_size, dtype)
        else:
            raise ValueError("If there is no initial_state, you must give a dtype.")
        if sequence_length is not None and not executing_eagerly():
            with control_dependencies([_assert_shape(sequence_length, [batch_size])]):
                sequence_length = ops.identity(sequence_length, name="CheckSeqLen")
        outputs, final_state = run_loop(
            cell,
            pack_sequence_as(inputs, flat_inputs),
            state,
            parallel_iterations=parallel_iterations or 32,
            swap_memory=swap_memory,
            sequence_length=sequence_length,
            dtype=dtype,
        )
        if not time_major:
            outputs = map_structure(swap_batch_and_time, outputs)
        return outputs, final_state


def _convert_lengths(sequence_length: Any) -> Tensor:
    """Converts the lengths to an int32 vector with a name that identifies it in the graph."""
    lengths = ops.cast(sequence_length, dtypes.int32)
    if lengths.get_shape().ndims not in (None, 1):
        raise ValueError(
            "sequence_length must be a vector of length batch_size, "
            f"but saw shape: {lengths.get_shape()}"
        )
    return ops.identity(lengths, name="sequence_length")


def _assert_shape(tensor: Tensor, shape: list) -> Any:
    """Returns an operation that fails if the tensor has a different shape."""
    actual = ops.shape(tensor)
    expected = ops.stack(shape)
    words = [f"Expected shape for Tensor {tensor.name} is ", expected, " but saw shape: ", actual]
    return ops.Assert(ops.reduce_all(ops.equal(actual, expected)), words)
