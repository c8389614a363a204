"""States of stateful recurrent layers, which persist between batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base.nest.structure import flatten
from tfmini._src.nn.layers.backend.tensor_values import (
    batch_set_value,
    set_value,
    zeros,
)
from tfmini._src.nn.layers.keras.recurrent.cell_states import is_sequence, map_sizes, to_sizes


class StatefulStates:
    """Mixin for layers with a `cell`; the states are variables if the layer is `stateful`."""

    cell: Any
    name: str
    stateful: bool
    time_major: bool
    input_spec: Any

    @property
    def states(self) -> Any:
        """The state variables, or a None for each state if the layer is not stateful; settable."""
        variables = vars(self).get("_states")
        if variables is not None:
            return variables
        no_states = map_sizes(lambda _: None, self.cell.state_size)
        return no_states if is_sequence(self.cell.state_size) else [no_states]

    @states.setter
    def states(self, states: Any) -> None:
        vars(self)["_states"] = states

    def reset_states(self, states: Any = None) -> None:
        """Resets the states to zeros, or to `states`: arrays [batch, size].

        Raises:
          AttributeError: if the layer is not stateful.
          ValueError: if the batch size is unknown, or for arrays of the wrong number or shape.
        """
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        shape = None if self.input_spec is None else flatten(self.input_spec[0])[0].shape
        batch_size = None if shape is None else shape[1 if self.time_major else 0]
        if not batch_size:
            raise ValueError(
                "If a RNN is stateful, it needs to know its batch size. Specify the batch size of your input "
                "tensors: \n- If using a Sequential model, specify the batch size by passing a "
                "`batch_input_shape` argument to your first layer.\n- If using the functional API, specify the "
                "batch size by passing a `batch_shape` argument to your Input layer."
            )
        sizes = self.cell.state_size
        variables = flatten(self.states)
        if variables[0] is None:
            zero_states = map_sizes(lambda size: zeros([batch_size, *to_sizes(size)]), sizes)
            self.states = zero_states if is_sequence(zero_states) else [zero_states]
        elif states is None:
            for state, size in zip(variables, flatten(sizes)):
                set_value(state, np.zeros([batch_size, *to_sizes(size)]))
        else:
            self._set_states(variables, states, lambda state: (batch_size, state))

    def _set_states(self, variables: list, states: Any, expected: Callable[[Any], tuple]) -> None:
        values = flatten(states)
        if len(values) != len(variables):
            raise ValueError(
                f"Layer {self.name} expects {len(variables)} states, but it received {len(values)} state values. "
                f"Input received: {states}"
            )
        for index, (value, state) in enumerate(zip(values, variables)):
            if tuple(value.shape) != tuple(state.shape.as_list()):
                raise ValueError(
                    f"State {index} is incompatible with layer {self.name}: expected "
                    f"shape={expected(state)}, found shape={value.shape}"
                )
        batch_set_value(list(zip(variables, values)))
