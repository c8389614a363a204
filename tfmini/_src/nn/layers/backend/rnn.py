"""`K.rnn`: applies a step function along time, unrolled or in a loop, and skips masked steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray


def rnn(
    step_function: Callable[..., Any],
    inputs: Any,
    initial_states: Any,
    go_backwards: bool = False,
    mask: Any = None,
    constants: Any = None,
    unroll: bool = False,
    input_length: Any = None,
    time_major: bool = False,
    zero_output_for_mask: bool = False,
) -> tuple[Any, Any, Any]:
    """Applies a step function along the time axis.

    Args:
      step_function: maps (inputs at t, states + constants) to (output, states).
      inputs: [batch, time, ...], or a structure of such tensors.
      initial_states: list of the states before the first step.
      go_backwards: whether to process the steps in reverse.
      mask: bool [batch, time]; a masked (False) step preserves the states and repeats the previous output.
      constants: tensors passed to each step after the states.
      unroll: whether to unroll the loop in the graph; requires a static number of steps.
      input_length: maximum number of steps of the loop.
      time_major: whether inputs, mask and outputs are [time, batch, ...].
      zero_output_for_mask: whether masked steps output zeros.

    Returns:
      The last output, all outputs [batch, time, ...], and the last states.

    Raises:
      ValueError: for `unroll` with an unknown number of steps, or a mask without states.
    """
    if not time_major:
        inputs = map_structure(_swap_axes, inputs)
    flat = flatten(inputs)
    steps, batch = flat[0].shape[0], flat[0].shape[1]
    count = ops.shape(flat[0])[0]
    for state_tensor in flat:
        state_tensor.shape.with_rank_at_least(3)
    if mask is not None:
        mask = mask if mask.dtype == dtypes.bool else ops.cast(mask, dtypes.bool)
        if len(mask.shape) == 2:
            mask = ops.expand_dims(mask, -1)
        if not time_major:
            mask = _swap_axes(mask)
    run = _Steps(step_function, inputs, flat, mask, tuple(constants or ()), go_backwards)
    run.zeros = zero_output_for_mask
    if unroll:
        last, outputs, states = run.unroll(tuple(initial_states))
    else:
        last, outputs, states = run.loop(initial_states, count, input_length)

    def shape_output(output: Any) -> Any:
        if isinstance(output, Tensor):
            output.set_shape([steps, batch, *output.shape.as_list()[2:]])
        return output

    outputs = map_structure(shape_output, outputs)
    if not time_major:
        outputs = map_structure(_swap_axes, outputs)
    return last, outputs, states


class _Steps:
    zeros: bool

    def __init__(
        self,
        function: Callable,
        inputs: Any,
        flat: list,
        mask: Any,
        constants: tuple,
        backwards: bool,
    ) -> None:
        self._function = function
        self._inputs = inputs
        self._flat = flat
        self._mask = mask
        self._constants = constants
        self._backwards = backwards

    def _unstack_in_order(self, tensor: Any) -> list:
        parts = ops.unstack(tensor)
        return parts[::-1] if self._backwards else parts

    def unroll(self, states: Any) -> tuple[Any, Any, Any]:
        parts = [self._unstack_in_order(sequence) for sequence in self._flat]
        masks = None if self._mask is None else self._unstack_in_order(self._mask)
        outputs: list[Any] = []
        for i in range(len(parts[0])):
            inputs = pack_sequence_as(self._inputs, [part[i] for part in parts])
            output, new_states = self._function(inputs, tuple(states) + self._constants)
            if masks is None:
                states = new_states
            else:
                step_mask = _expand_mask(masks[i], output)
                previous_output = outputs[-1] if outputs else ops.zeros_like(output)
                output = ops.where(step_mask, output, previous_output)
                states = [
                    ops.where(_expand_mask(masks[i], new), new, old)
                    for old, new in zip(states, new_states)
                ]
            outputs.append(output)
        last, stacked = outputs[-1], ops.stack(outputs)
        if self.zeros and masks is not None:
            last = ops.where(_expand_mask(masks[-1], last), last, ops.zeros_like(last))
            mask = _expand_mask(self._mask, stacked, fixed=2)
            stacked = ops.where(mask, stacked, ops.zeros_like(stacked))
        return last, stacked, states

    def loop(self, initial: Any, count: Any, length: Any) -> tuple[Any, Any, Any]:
        states = tuple(initial)
        arrays = [
            TensorArray(dtype=sequence.dtype, size=count, tensor_array_name=f"input_ta_{i}")
            for i, sequence in enumerate(self._flat)
        ]
        arrays = [
            array.unstack(ops.reverse(sequence, [0]) if self._backwards else sequence)
            for array, sequence in zip(arrays, self._flat)
        ]
        first = pack_sequence_as(self._inputs, [sequence[0] for sequence in self._flat])
        example, _ = self._function(first, states + self._constants)
        written = tuple(
            TensorArray(
                dtype=sequence.dtype,
                size=count,
                element_shape=sequence.shape,
                tensor_array_name=f"output_ta_{i}",
            )
            for i, sequence in enumerate(flatten(example))
        )
        time = ops.constant(0, dtype="int32", name="time")
        settings = {"maximum_iterations": length, "parallel_iterations": 32, "swap_memory": True}

        def should_continue(time: Any, *_: Any) -> Any:
            return time < count

        def step(time: Any, states: tuple) -> tuple:
            inputs = pack_sequence_as(self._inputs, [array.read(time) for array in arrays])
            return inputs, states + self._constants

        def keep_shapes(old: Any, new: Any) -> None:
            for state, new_state in zip(flatten(old), flatten(new)):
                if isinstance(new_state, Tensor):
                    new_state.set_shape(state.shape)

        def unmasked_step(time: Any, written: tuple, *states: Any) -> tuple:
            output, new = self._function(*step(time, states))
            keep_shapes(states, new)
            written = tuple(
                array.write(time, sequence) for array, sequence in zip(written, flatten(output))
            )
            new = pack_sequence_as(initial, flatten(new))
            return (time + 1, written, *new)

        if self._mask is None:
            final = ops.while_loop(
                should_continue, unmasked_step, (time, written, *states), **settings
            )
            return self._gather(example, final[1], final[2:])
        if not states:
            raise ValueError(
                "No initial states provided! When using masking in an RNN, you should provide initial states "
                "(and your step function should return as its first state at time `t` the output at time `t-1`)."
            )
        mask = ops.reverse(self._mask, [0]) if self._backwards else self._mask
        masks = TensorArray(dtype=dtypes.bool, size=count, tensor_array_name="mask_ta").unstack(
            mask
        )
        zeros = tuple(ops.zeros_like(sequence) for sequence in flatten(example))

        def masked_step(time: Any, written: tuple, previous_outputs: Any, *states: Any) -> tuple:
            inputs = pack_sequence_as(self._inputs, [array.read(time) for array in arrays])
            step_mask = masks.read(time)
            output, new = self._function(inputs, states + self._constants)
            flat: Any = flatten(output)
            fallback_values = zeros if self.zeros else flatten(previous_outputs)
            tiled = [_expand_mask(step_mask, sequence) for sequence in flat]
            flat = tuple(
                ops.where(m, sequence, old)
                for m, sequence, old in zip(tiled, flat, fallback_values)
            )
            keep_shapes(states, new)
            old_states = flatten(states)
            tiled = [_expand_mask(step_mask, sequence) for sequence in old_states]
            states_after = [
                ops.where(m, sequence, old)
                for m, sequence, old in zip(tiled, flatten(new), old_states)
            ]
            new = pack_sequence_as(new, states_after)
            written = tuple(array.write(time, sequence) for array, sequence in zip(written, flat))
            return (time + 1, written, flat, *new)

        final = ops.while_loop(
            should_continue, masked_step, (time, written, zeros, *states), **settings
        )
        return self._gather(example, final[1], final[3:])

    def _gather(self, example: Any, written: tuple, states: Any) -> tuple[Any, Any, Any]:
        outputs = [array.stack() for array in written]
        last = [output[-1] for output in outputs]
        pack = pack_sequence_as
        return pack(example, last), pack(example, outputs), states


def _swap_axes(tensor: Any) -> Any:
    """Swaps the first two axes of a tensor."""
    return ops.transpose(tensor, [1, 0, *range(2, len(tensor.shape))])


def _expand_mask(mask: Any, tensor: Any, fixed: int = 1) -> Any:
    """Tiles a mask of lower rank to the shape of `tensor`, except along the first `fixed` axes."""
    for _ in range(len(tensor.shape) - len(mask.shape)):
        mask = ops.expand_dims(mask, -1)
    return ops.tile(mask, [1] * fixed + tensor.shape.as_list()[fixed:])
