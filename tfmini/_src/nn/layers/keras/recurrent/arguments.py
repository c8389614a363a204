"""Call arguments of recurrent layers: inputs, initial states and constants, passed separately or in one list."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.nn.layers.backend.tensor_values import is_keras_tensor


def split_inputs(inputs: Any, initial_state: Any, constants: Any, num_constants: int) -> tuple:
    """Splits a list of inputs into inputs, states and constants; absent ones are None.

    Raises:
      AssertionError: if `inputs` is a list and states or constants are passed as well.
    """
    if isinstance(inputs, list):
        assert initial_state is None and constants is None
        if num_constants:
            inputs, constants = inputs[:-num_constants], inputs[-num_constants:]
        if len(inputs) > 1:
            inputs, initial_state = inputs[:1], inputs[1:]
        inputs = inputs[0]
    return inputs, _as_list(initial_state), _as_list(constants)


def _as_list(value: Any) -> Any:
    if value is None or isinstance(value, list):
        return value
    return list(value) if isinstance(value, tuple) else [value]


def are_of_layers(tensors: Any, message: str) -> bool:
    """Whether all tensors are outputs of layers."""
    are_keras = [is_keras_tensor(tensor) for tensor in flatten(tensors)]
    if len(set(are_keras)) > 1:
        raise ValueError(message)
    return are_keras[0]
