"""`K.rnn`: a step function applied along time, unrolled or in a loop, with steps that a mask leaves out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tfmini as tf
from tfmini import dtypes, nest


def rnn(
    step_function: Callable,
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
    """Applies `step_function(inputs at t, states + constants) -> (output, states)` along time.

    Args:
      inputs: [batch, time, ...], or a structure of these; `time_major` has time first.
      initial_states: the states before the first step, a list.
      go_backwards: from the last step to the first.
      mask: bool, [batch, time]: where it is false a step changes nothing, and gives the output before it.
      constants: what each step gets after the states.
      unroll: makes the nodes of each step; the number of steps must be known.
      input_length: the most steps that a loop takes.
      zero_output_for_mask: steps that are left out give zeros.

    Returns:
      The last output, all outputs [batch, time, ...], and the last states.

    Raises:
      ValueError: to unroll a number of steps that is not known; for a mask without states.
    """
    if not time_major:
        inputs = nest.map_structure(_exchanged, inputs)
    if mask is not None:
        mask = tf.cast(mask, dtypes.bool)
        if mask.shape.ndims == 2:
            mask = tf.expand_dims(mask, -1)
        if not time_major:
            mask = _exchanged(mask)
    if go_backwards:
        inputs = nest.map_structure(lambda x: tf.reverse(x, [0]), inputs)
        mask = None if mask is None else tf.reverse(mask, [0])
    steps = _Steps(step_function, inputs, mask, tuple(constants or ()), zero_output_for_mask)
    run = steps.unrolled if unroll else steps.looped
    last, outputs, states = run(tuple(initial_states), input_length)
    first = nest.flatten(inputs)[0]

    def shaped(output: Any) -> Any:
        known = output.shape.as_list()
        output.set_shape([first.shape[0], first.shape[1], *known[2:]])
        return output if time_major else _exchanged(output)

    return last, nest.map_structure(shaped, outputs), states


class _Steps:
    def __init__(
        self, function: Callable, inputs: Any, mask: Any, constants: tuple, zeros: bool
    ) -> None:
        self._function = function
        self._inputs = inputs
        self._mask = mask
        self._constants = constants
        self._zeros = zeros

    def _step(self, inputs: Any, mask: Any, before: Any, states: tuple) -> tuple[Any, Any]:
        """The output and states of a step; where the mask is false those before it."""
        output, new_states = self._function(inputs, states + self._constants)
        if mask is None:
            return output, new_states
        if before is None:
            before = nest.map_structure(tf.zeros_like, output)
        output = nest.map_structure(lambda new, old: _chosen(mask, new, old), output, before)
        pairs = zip(nest.flatten(new_states), nest.flatten(states))
        kept = [_chosen(mask, new, old) for new, old in pairs]
        return output, nest.pack_sequence_as(new_states, kept)

    def unrolled(self, states: Any, length: Any) -> tuple[Any, Any, Any]:
        flat = nest.flatten(self._inputs)
        count = flat[0].shape.as_list()[0]
        if not count:
            raise ValueError("Unrolling requires a fixed number of timesteps.")
        parts = [tf.unstack(one) for one in flat]
        masks = [None] * count if self._mask is None else tf.unstack(self._mask)
        outputs: list[Any] = []
        for i in range(count):
            at = nest.pack_sequence_as(self._inputs, [part[i] for part in parts])
            before = outputs[-1] if outputs else None
            output, states = self._step(at, masks[i], before, tuple(states))
            outputs.append(output)
        last, stacked = outputs[-1], nest.map_structure(lambda *all: tf.stack(all), *outputs)
        if self._zeros and self._mask is not None:
            last = _chosen(masks[-1], last, tf.zeros_like(last))
            stacked = _chosen(self._mask, stacked, tf.zeros_like(stacked))
        return last, stacked, states

    def looped(self, states: tuple, length: Any) -> tuple[Any, Any, Any]:
        flat = nest.flatten(self._inputs)
        count = tf.shape(flat[0])[0]
        arrays = [self._array(one, count) for one in flat]
        mask = None if self._mask is None else self._array(self._mask, count)
        if mask is not None and not states:
            raise ValueError(
                "No initial states provided! When using masking in an RNN, you should provide initial states "
                "(and your step function should return as its first state at time `t` the output at time `t-1`)."
            )
        example, _ = self._function(
            nest.pack_sequence_as(self._inputs, [one[0] for one in flat]),
            states + self._constants,
        )
        written = tuple(
            tf.TensorArray(one.dtype, size=count, element_shape=one.shape)
            for one in nest.flatten(example)
        )
        zeros = tuple(tf.zeros_like(one) for one in nest.flatten(example))
        flat_states = tuple(nest.flatten(states))

        def body(time: Any, written: tuple, before: tuple, current: tuple) -> tuple:
            at = nest.pack_sequence_as(self._inputs, [array.read(time) for array in arrays])
            old = None
            if mask is not None:
                old = nest.pack_sequence_as(example, list(zeros if self._zeros else before))
            output, new = self._step(
                at,
                None if mask is None else mask.read(time),
                old,
                tuple(nest.pack_sequence_as(states, list(current))),
            )
            for one, known in zip(nest.flatten(new), flat_states):
                one.set_shape(known.shape)
            output = nest.flatten(output)
            written = tuple(array.write(time, one) for array, one in zip(written, output))
            return (
                time + 1,
                written,
                before if mask is None else tuple(output),
                tuple(nest.flatten(new)),
            )

        start = (
            tf.constant(0, dtype="int32", name="time"),
            written,
            () if mask is None else zeros,
            flat_states,
        )
        _, written, _, last_states = tf.while_loop(
            lambda time, *_: time < count,
            body,
            start,
            parallel_iterations=32,
            swap_memory=True,
            maximum_iterations=length,
        )
        outputs = [array.stack() for array in written]
        last = [output[-1] for output in outputs]
        return (
            nest.pack_sequence_as(example, last),
            nest.pack_sequence_as(example, outputs),
            nest.pack_sequence_as(states, list(last_states)),
        )

    def _array(self, tensor: Any, count: Any) -> Any:
        return tf.TensorArray(tensor.dtype, size=count).unstack(tensor)


def _exchanged(tensor: Any) -> Any:
    """With the first two axes exchanged."""
    return tf.transpose(tensor, [1, 0, *range(2, tensor.shape.ndims)])


def _chosen(mask: Any, new: Any, old: Any) -> Any:
    """`new` where the mask, of fewer dimensions, is true, else `old`."""
    for _ in range(new.shape.ndims - mask.shape.ndims):
        mask = tf.expand_dims(mask, -1)
    return tf.where(tf.logical_and(mask, tf.ones_like(new, dtype=dtypes.bool)), new, old)
