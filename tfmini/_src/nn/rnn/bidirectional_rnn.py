"""Unrolling of two cells, forward and backward: `static_bidirectional_rnn`, `bidirectional_dynamic_rnn`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.base.shapes import unknown_shape
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.rnn.checks import check_cell, check_input_list
from tfmini._src.nn.rnn.dynamic_rnn import dynamic_rnn
from tfmini._src.nn.rnn.static_rnn import static_rnn
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.nn.rnn.rnn_cell import RNNCell
    from tfmini._src.variables.get_variable import VariableScope


@deprecated(
    None,
    "Please use `keras.layers.Bidirectional(keras.layers.RNN(cell, unroll=True))`, "
    "which is equivalent to this API",
)
def static_bidirectional_rnn(
    cell_fw: RNNCell,
    cell_bw: RNNCell,
    inputs: TensorLike,
    initial_state_fw: object = None,
    initial_state_bw: object = None,
    dtype: DTypeLike | None = None,
    sequence_length: TensorLike | None = None,
    scope: str | VariableScope | None = None,
) -> tuple[Any, Any, Any]:
    """Unrolls two cells over the same inputs, one forward and one backward, and concatenates their outputs.

    Args:
      cell_fw, cell_bw, initial_state_fw, initial_state_bw, scope: as in `bidirectional_dynamic_rnn`.
      inputs: a list with one input per step, a tensor [batch, size] or a nested tuple of these.
      dtype: dtype of the zero initial states; required if an initial state is omitted.
      sequence_length: int vector [batch]; each row is reversed up to its own length.

    Returns:
      (outputs, state_fw, state_bw): a list of the outputs of each step, [batch, sum of both sizes], and the final
      states.

    Raises:
      TypeError: if `cell_fw` or `cell_bw` is not a cell, or `inputs` not a sequence.
      ValueError: as for `tf.nn.static_rnn`.
    """
    check_cell("cell_fw", cell_fw)
    check_cell("cell_bw", cell_bw)
    check_input_list(inputs)
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as forward:
            outputs_fw, state_fw = static_rnn(
                cell_fw, inputs, initial_state_fw, dtype, sequence_length, scope=forward
            )
        with variable_scope("bw") as backward:
            outputs, state_bw = static_rnn(
                cell_bw,
                _reverse_steps(inputs, sequence_length),
                initial_state_bw,
                dtype,
                sequence_length,
                scope=backward,
            )
    outputs_bw = _reverse_steps(outputs, sequence_length)
    joined = [ops.concat(pair, 1) for pair in zip(flatten(outputs_fw), flatten(outputs_bw))]
    return pack_sequence_as(outputs_fw, joined), state_fw, state_bw


def _reverse_steps(steps: Any, lengths: Any) -> list:
    """Reverses a list of steps, or with `lengths` only the valid steps of each row."""
    if lengths is None:
        return list(reversed(steps))
    flat_steps = [flatten(step) for step in steps]
    results: list[list] = [[] for _ in flat_steps]
    for sequence in zip(*flat_steps):
        shape = unknown_shape(rank=sequence[0].get_shape().ndims)
        for tensor in sequence:
            shape.merge_with(tensor.get_shape())
            tensor.set_shape(shape)
        backwards = ops.reverse_sequence(ops.stack(sequence), lengths, 0, 1)
        for result, tensor in zip(results, ops.unstack(backwards)):
            tensor.set_shape(shape)
            result.append(tensor)
    return [pack_sequence_as(step, result) for step, result in zip(steps, results)]


@deprecated(
    None,
    "Please use `keras.layers.Bidirectional(keras.layers.RNN(cell))`, "
    "which is equivalent to this API",
)
def bidirectional_dynamic_rnn(
    cell_fw: Any,
    cell_bw: RNNCell,
    inputs: Any,
    sequence_length: Any = None,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: DTypeLike | None = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Runs two cells in loops over the same inputs, one forward and one backward.

    Args:
      cell_fw, cell_bw: RNNCells.
      inputs: a tensor [batch, time, ...], or a nested tuple of these.
      sequence_length: int vector [batch]; each row is reversed up to its own length.
      initial_state_fw, initial_state_bw: initial states; by default zeros.
      dtype, parallel_iterations, swap_memory, time_major: see `tf.nn.dynamic_rnn`.
      scope: variable scope, by name or as a VariableScope; default "bidirectional_rnn".

    Returns:
      ((outputs_fw, outputs_bw), (state_fw, state_bw)); `tf.concat(outputs, 2)` joins the outputs.

    Raises:
      TypeError: if `cell_fw` or `cell_bw` is not a cell.
      ValueError: as for `tf.nn.dynamic_rnn`.
    """
    check_cell("cell_fw", cell_fw)
    check_cell("cell_bw", cell_bw)
    time_axis, batch_axis = (0, 1) if time_major else (1, 0)

    def backwards(tensor: Any) -> Any:
        if sequence_length is None:
            return ops.reverse(tensor, axis=[time_axis])
        return ops.reverse_sequence(
            input=tensor, seq_lengths=sequence_length, seq_axis=time_axis, batch_axis=batch_axis
        )

    settings = {
        "sequence_length": sequence_length,
        "dtype": dtype,
        "parallel_iterations": parallel_iterations,
        "swap_memory": swap_memory,
        "time_major": time_major,
    }
    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as forward:
            outputs_fw, state_fw = dynamic_rnn(
                cell_fw, inputs, initial_state=initial_state_fw, scope=forward, **settings
            )
        with variable_scope("bw") as backward:
            outputs, state_bw = dynamic_rnn(
                cell_bw,
                map_structure(backwards, inputs),
                initial_state=initial_state_bw,
                scope=backward,
                **settings,
            )
    return (outputs_fw, backwards(outputs)), (state_fw, state_bw)
