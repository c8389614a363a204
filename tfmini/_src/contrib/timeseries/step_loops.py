"""Loop that runs a sequential model over the times of a window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.variable_scope import variable_scope


@dataclass
class _StepValues:
    """Collects the values written in an unrolled loop, in order."""

    values: list[Any] = field(default_factory=list)

    def write(self, _: Any, value: Any) -> _StepValues:
        self.values.append(value)
        return self

    def stack(self) -> Tensor:
        return ops.stack(self.values, axis=1)


def _stack_values(array: Any) -> Tensor:
    """Returns the stacked values of a loop, [batch, window, ...]."""
    stacked = array.stack()  # [window, batch, ...]
    trailing_axes = ops.range(2, ops.rank(stacked))
    return ops.transpose(stacked, perm=ops.concat([[1, 0], trailing_axes], 0))


@dataclass
class StepLoop:
    """Runs a step function for each time of a window.

    Args:
      times: integers [batch, window].
      state: the initial state, a nested tuple of tensors [batch, ...].
      outputs: names of a step's outputs.
      dtype: the dtype of the outputs.
      impute: advances a state over a gap: a function of `current_times`, [batch], and `state`.
      update: the step: a function of its number, times, [batch], and the state that returns the next state and the
        outputs.
    """

    times: Tensor
    state: Any
    outputs: list[str]
    dtype: Any
    impute: Callable
    update: Callable

    def run(self) -> tuple[Any, dict[str, Any]]:
        """Returns the states and outputs at each time, [batch, window, ...], computed by a `tf.while_loop`."""
        length, start = self._length_and_start()
        states = [ops.TensorArray(part.dtype, size=length) for part in flatten(self.state)]
        outputs = [ops.TensorArray(self.dtype, size=length) for _ in self.outputs]
        _, _, states, outputs = ops.while_loop(
            cond=lambda index, *_: ops.less(index, length),
            body=self._step,
            loop_vars=[start, self.state, states, outputs],
        )
        return self._pack_results(states, outputs, _stack_values)

    def unroll(self, length: int) -> tuple[Any, dict[str, Any]]:
        """Returns the states and outputs at each time, [batch, window, ...], computed by an unrolled loop."""
        states: Any = [_StepValues() for _ in flatten(self.state)]
        outputs: Any = [_StepValues() for _ in self.outputs]
        self._length_and_start()  # adds these nodes, although the length is known
        state = self.state
        for position in range(length):
            index = ops.constant(position, dtypes.int32)
            _, state, states, outputs = self._step(
                index, state, states, outputs, reuse=position > 0
            )
        return self._pack_results(states, outputs, _StepValues.stack)

    def _length_and_start(self) -> tuple[Tensor, Tensor]:
        return ops.shape(self.times)[1], ops.zeros([], dtypes.int32)

    def _pack_results(
        self, states: Any, outputs: Any, joined: Callable
    ) -> tuple[Any, dict[str, Any]]:
        packed = {name: joined(output) for name, output in zip(self.outputs, outputs)}
        return pack_sequence_as(self.state, [joined(part) for part in states]), packed

    def _step(
        self, index: Tensor, state: Any, states: Any, outputs: Any, reuse: bool = False
    ) -> tuple:
        with variable_scope("state_update_step", reuse=reuse):
            times = self.times[:, index]
            imputed_state = self.impute(current_times=times, state=state)
            new_state, step_outputs = self.update(index, times, imputed_state)
            assert set(step_outputs) == set(self.outputs), (sorted(step_outputs), self.outputs)
            outputs = [
                array.write(index, step_outputs[name]) for name, array in zip(self.outputs, outputs)
            ]
            parts, collected = flatten(new_state), []
            assert len(states) == len(parts), (len(states), len(parts))
            for part, array, old_state in zip(parts, states, flatten(imputed_state)):
                part.set_shape(old_state.get_shape())  # invariant in a loop
                collected.append(array.write(index, part))
            return index + 1, pack_sequence_as(imputed_state, parts), collected, outputs
