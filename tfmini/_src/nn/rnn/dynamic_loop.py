"""The time-major loop of `tf.nn.dynamic_rnn`, which reads inputs from and writes outputs to TensorArrays."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.containers import is_sequence
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.scopes import name_scope
from tfmini._src.nn.rnn.checks import is_keras_cell, state_dtype
from tfmini._src.nn.rnn.rnn_step import Lengths, step_with_mask
from tfmini._src.nn.rnn.state_sizes import concat_sizes, infer_batch_size, to_static_shape
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray


def run_loop(
    cell: Any,
    inputs: Any,
    state: Any,
    parallel_iterations: int,
    swap_memory: bool,
    sequence_length: Any,
    dtype: Any,
) -> tuple[Any, Any]:
    """Returns the outputs [time, batch, ...] of all steps, in the structure of the cell's output, and the last state.

    Args:
      inputs: a tensor [time, batch, size], or a nested tuple of these.
      state: the state before the first step.
      sequence_length: int32 vector tensor [batch], or None.
      dtype: dtype of the outputs; None for the dtype of the state.
    """
    assert isinstance(parallel_iterations, int), "parallel_iterations must be int"
    flat_inputs = flatten(inputs)
    output_sizes = flatten(cell.output_size)
    time_steps = ops.shape(flat_inputs[0])[0]
    batch_size = infer_batch_size(flat_inputs)
    input_shapes = _static_shapes(flat_inputs)
    known_steps, known_batch_size = input_shapes[0].as_list()[:2]
    zeros = [
        ops.zeros(ops.stack(concat_sizes(batch_size, size)), state_dtype(dtype, state))
        for size in output_sizes
    ]
    zero_output = pack_sequence_as(cell.output_size, zeros)
    lengths = None if sequence_length is None else Lengths(sequence_length)
    max_steps = time_steps if lengths is None else lengths.maximum
    time = ops.constant(0, dtype=dtypes.int32, name="time")
    with name_scope("dynamic_rnn") as base_name:
        pass

    def array(name: str, element_shape: Any, element_dtype: Any) -> TensorArray:
        return TensorArray(
            dtype=element_dtype,
            size=time_steps,
            element_shape=element_shape,
            tensor_array_name=base_name + name,
        )

    output_arrays = tuple(
        array(
            f"output_{index}",
            TensorShape([known_batch_size]).concatenate(to_static_shape(size)),
            state_dtype(dtype, state),
        )
        for index, size in enumerate(output_sizes)
    )
    input_arrays = [
        array(f"input_{index}", tensor.shape[1:], tensor.dtype)
        for index, tensor in enumerate(flat_inputs)
    ]
    input_arrays = [ta.unstack(tensor) for ta, tensor in zip(input_arrays, flat_inputs)]
    keras = is_keras_cell(cell)

    def step(time: Any, arrays: tuple, state: Any) -> tuple[Any, tuple, Any]:
        values = [ta.read(time) for ta in input_arrays]
        for value, shape in zip(values, input_shapes):
            value.set_shape(shape[1:])
        value = pack_sequence_as(inputs, values)
        if keras and not is_sequence(state):
            state = [state]
        if lengths is None:
            output, new_state = cell(value, state)
        else:
            output, new_state = step_with_mask(
                time, lengths, zero_output, state, lambda: cell(value, state)
            )
        if keras and len(new_state) == 1:
            new_state = new_state[0]
        outputs = flatten(output)
        written = tuple(ta.write(time, output) for ta, output in zip(arrays, outputs))
        return time + 1, written, new_state

    # At least one step runs if there are any, so that the output arrays learn their shape.
    end = ops.minimum(time_steps, ops.maximum(1, max_steps))
    _, arrays, final_state = ops.while_loop(
        cond=lambda time, *_: time < end,
        body=step,
        loop_vars=(time, output_arrays, state),
        parallel_iterations=parallel_iterations,
        maximum_iterations=time_steps,
        swap_memory=swap_memory,
    )
    outputs = [ta.stack() for ta in arrays]
    for output, size in zip(outputs, output_sizes):
        output.set_shape(concat_sizes([known_steps, known_batch_size], size, static=True))
    return pack_sequence_as(cell.output_size, outputs), final_state


def _static_shapes(flat_inputs: list) -> list[TensorShape]:
    """Returns the static shapes of the inputs; sizes must be known, and steps and batch sizes equal."""
    shapes = [tensor.get_shape().with_rank_at_least(3) for tensor in flat_inputs]
    steps, rows = shapes[0].as_list()[:2]
    for shape in shapes:
        if not shape[2:].is_fully_defined():
            raise ValueError(
                "Input size (depth of inputs) must be accessible via shape inference,"
                " but saw value None."
            )
        if shape.dims[0].value != steps:
            raise ValueError(
                "Time steps is not the same for all the elements in the input in a batch."
            )
        if shape.dims[1].value != rows:
            raise ValueError("Batch_size is not the same for all the elements in the input.")
    return shapes
