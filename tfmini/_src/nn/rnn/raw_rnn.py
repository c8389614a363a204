"""`tf.nn.raw_rnn`: runs a cell in a while loop; a function controls its inputs, termination and outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import (
    assert_same_structure,
    flatten,
    map_structure,
    pack_sequence_as,
)
from tfmini._src.base.shapes import TensorShape, dimension_at_index, dimension_value
from tfmini._src.nn.rnn.checks import cache_variables, check_cell
from tfmini._src.nn.rnn.rnn_step import keep_ended_rows
from tfmini._src.nn.rnn.state_sizes import concat_sizes, to_static_shape
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.nn.rnn.rnn_cell import RNNCell
    from tfmini._src.variables.get_variable import VariableScope


def raw_rnn(
    cell: RNNCell,
    loop_fn: Callable[..., Any],
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    scope: str | VariableScope | None = None,
) -> tuple[Any, Any, Any]:
    """Runs a cell until all rows are finished; `loop_fn` provides its inputs and receives each output and state.

    `loop_fn(time, cell_output, cell_state, loop_state)` is called twice while the graph is built: before the loop, with
    time 0 and None for the other arguments, and inside the loop. It returns

      finished: bool vector [batch], the finished rows, which emit zeros and keep their state.
      next_input: a tensor [batch, ...] or a nested tuple of these.
      next_cell_state: at the first call the initial state, in the structure of `cell.state_size`.
      emit_output: output to store for this step. At the first call, zeros of its structure, shape and dtype, or None
        to emit the cell output.
      next_loop_state: further loop state of `loop_fn`, a nested structure of tensors and TensorArrays, or None.

    Args:
      cell, parallel_iterations, swap_memory, scope: as in `dynamic_rnn`.
      loop_fn: the function.

    Returns:
      (emit_ta, final_state, final_loop_state): the emitted outputs, a TensorArray or a nested tuple of these; the final
      cell state; and the final loop state, None if it was None at the first call.

    Raises:
      TypeError: if `cell` is not a cell, or `loop_fn` is not callable.
      ValueError: if batch sizes or structures differ.

    Example:
      def step(time, output, state, loop_state):
          state = cell.zero_state(batch, tf.float32) if output is None else state
          ended = time >= lengths
          value = tf.cond(tf.reduce_all(ended), lambda: tf.zeros([batch, size]), lambda: inputs.read(time))
          return ended, value, state, output, None
      outputs, state, _ = tf.nn.raw_rnn(cell, step)
      outputs = outputs.stack()  # [time, batch, cell.output_size]
    """
    check_cell("cell", cell)
    if not callable(loop_fn):
        raise TypeError("loop_fn must be a callable")
    with variable_scope(scope or "rnn") as variables:
        cache_variables(variables)
        time = ops.constant(0, dtype=dtypes.int32)
        finished, next_input, state, emit_structure, first_loop_state = loop_fn(
            time, None, None, None
        )
        flat_input = flatten(next_input)
        loop_state = first_loop_state
        if loop_state is None:  # a loop needs a state
            loop_state = ops.constant(0, dtype=dtypes.int32)
        known_batch_size = _static_batch_size(flat_input)
        batch_size: Any = known_batch_size
        if batch_size is None:
            batch_size = ops.shape(flat_input[0])[0]
        assert_same_structure(state, cell.state_size)
        flat_state = [ops.convert_to_tensor(part) for part in flatten(state)]
        state = pack_sequence_as(state, flat_state)
        emit_structure, sizes, emitted_dtypes = _emit_structure(
            emit_structure, cell.output_size, flat_state[0].dtype
        )
        arrays = [
            TensorArray(
                dtype=dtype,
                dynamic_size=True,
                element_shape=TensorShape([known_batch_size]).concatenate(to_static_shape(size)),
                size=0,
                name=f"rnn_output_{index}",
            )
            for index, (dtype, size) in enumerate(zip(emitted_dtypes, sizes))
        ]
        emit_ta = pack_sequence_as(emit_structure, arrays)
        zeros = [
            ops.zeros(concat_sizes(batch_size, size), dtype)
            for size, dtype in zip(sizes, emitted_dtypes)
        ]
        zero_emit = pack_sequence_as(emit_structure, zeros)
        *_, emit_ta, final_state, final_loop_state = ops.while_loop(
            lambda time, finished, *rest: ops.logical_not(ops.reduce_all(finished)),
            _loop_body(cell, loop_fn, zero_emit),
            loop_vars=[time, finished, next_input, emit_ta, state, loop_state],
            parallel_iterations=parallel_iterations or 32,
            swap_memory=swap_memory,
        )
        return emit_ta, final_state, None if first_loop_state is None else final_loop_state


def _emit_structure(examples: Any, output_size: Any, state_dtype: Any) -> tuple[Any, list, list]:
    """Returns the structure, sizes and dtypes of a step's emissions; by default, as in the cell's outputs."""
    if examples is None:
        sizes = flatten(output_size)
        return output_size, sizes, [state_dtype] * len(sizes)
    flat = flatten(examples)
    return examples, [_emit_shape(example) for example in flat], [example.dtype for example in flat]


def _loop_body(cell: Any, loop_fn: Callable, zero_emit: Any) -> Callable:
    """Computes one step of the loop; rows that have ended emit `zero_emit`."""

    def step(
        time: Any, finished: Any, value: Any, emit_ta: Any, state: Any, loop_state: Any
    ) -> tuple:
        output, cell_state = cell(value, state)
        assert_same_structure(state, cell_state)
        assert_same_structure(cell.output_size, output)
        next_time = time + 1
        elements_finished, next_input, next_state, emit_output, next_loop_state = loop_fn(
            next_time, output, cell_state, loop_state
        )
        assert_same_structure(state, next_state)
        assert_same_structure(value, next_input)
        assert_same_structure(emit_ta, emit_output)

        def keep(old: Any, new: Any) -> Any:
            return keep_ended_rows(finished, old, new)

        emit_output = map_structure(keep, zero_emit, emit_output)
        next_state = map_structure(keep, state, next_state)
        emit_ta = map_structure(lambda ta, part: ta.write(time, part), emit_ta, emit_output)
        finished = ops.logical_or(finished, elements_finished)
        loop_state = loop_state if next_loop_state is None else next_loop_state
        return next_time, finished, next_input, emit_ta, next_state, loop_state

    return step


def _static_batch_size(flat_input: list) -> int | None:
    """Returns the static batch size of the first input, which the other inputs must share."""
    rows = [dimension_at_index(tensor.get_shape(), 0) for tensor in flat_input]
    for other in rows:
        rows[0].merge_with(other)
    return dimension_value(rows[0])


def _emit_shape(example: Any) -> Any:
    """Returns the shape of a step's emission, static if possible."""
    return example.shape if example.shape.is_fully_defined() else ops.shape(example)
