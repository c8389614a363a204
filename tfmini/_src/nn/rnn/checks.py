"""Checks of a cell and its inputs, and caching of variables, in the functions that unroll cells."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.containers import is_sequence
from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.nn.layers.base_layer import Layer as BaseLayer
from tfmini._src.variables.get_variable import VariableScope


def check_cell(role: str, cell: Any) -> None:
    """Raises TypeError if the object passed as `role` does not implement the interface of a cell."""
    has_state = hasattr(cell, "get_initial_state") or hasattr(cell, "zero_state")
    faults = {
        "'output_size' property is missing": not hasattr(cell, "output_size"),
        "'state_size' property is missing": not hasattr(cell, "state_size"),
        "either 'zero_state' or 'get_initial_state' method is required": not has_state,
        "is not callable": not callable(cell),
    }
    problems = [text for text, wrong in faults.items() if wrong]
    if problems:
        raise TypeError(f"The argument {role!r} ({cell}) is not an RNNCell: {', '.join(problems)}.")


def is_cell(cell: Any) -> bool:
    """Whether an object has a cell's sizes and zero state, and is callable."""
    names = ("output_size", "state_size", "zero_state")
    return callable(cell) and all(hasattr(cell, name) for name in names)


def check_input_list(inputs: Any) -> None:
    """Raises TypeError or ValueError unless `inputs` is a sequence with at least one step."""
    if not is_sequence(inputs):
        raise TypeError("inputs must be a sequence")
    if not inputs:
        raise ValueError("inputs must not be empty")


def cache_variables(scope: VariableScope) -> None:
    """Caches reads of the scope's variables on the reading device, unless the scope has a caching device.

    Does nothing in a while loop, where each iteration must see the previous iteration's assignments.
    """
    if executing_eagerly():
        return
    context = get_default_graph()._get_control_flow_context()
    is_in_loop = context is not None and context.GetWhileContext() is not None
    if not is_in_loop and scope.caching_device is None:
        scope.set_caching_device(lambda op: op.device)


def state_dtype(value: Any, state: Any) -> Any:
    """Returns the dtype of the zeros of `state`: the explicit one, or else the common dtype of all its parts.

    Raises:
      ValueError: if the state is empty or has several dtypes.
    """
    if value is not None:
        return value
    if not is_sequence(state):
        return state.dtype
    types = [part.dtype for part in flatten(state)]
    if not types:
        raise ValueError("Unable to infer dtype from empty state.")
    if any(dtype != types[0] for dtype in types):
        raise ValueError(
            "State has tensors of different inferred_dtypes. Unable to infer a "
            "single representative dtype."
        )
    return types[0]


def get_initial_state(cell: Any, batch_size: Any, dtype: Any) -> Any:
    """Returns the cell's initial state, from `get_initial_state` if implemented or else from `zero_state`."""
    if getattr(cell, "get_initial_state", None) is not None:
        return cell.get_initial_state(inputs=None, batch_size=batch_size, dtype=dtype)
    return cell.zero_state(batch_size, dtype)


def is_keras_cell(cell: Any) -> bool:
    """Whether a cell is a Keras layer without `zero_state` rather than an RNNCell; its state is then a list."""
    return isinstance(cell, BaseLayer) and getattr(cell, "zero_state", None) is None
