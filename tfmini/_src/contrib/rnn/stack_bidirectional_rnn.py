"""Stacked bidirectional layers; each reads the concatenated outputs of the layer below."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.rnn.bidirectional_rnn import bidirectional_dynamic_rnn, static_bidirectional_rnn
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable_scope import variable_scope


def stack_bidirectional_rnn(
    cells_fw: list[Any],
    cells_bw: list[Any],
    inputs: TensorLike,
    initial_states_fw: list[Any] | None = None,
    initial_states_bw: list[Any] | None = None,
    dtype: DTypeLike | None = None,
    sequence_length: TensorLike | None = None,
    scope: str | VariableScope | None = None,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """Builds stacked layers of `tf.nn.static_bidirectional_rnn`, as in https://arxiv.org/abs/1303.5778.

    Args:
      cells_fw, cells_bw: lists of RNNCells, one per layer.
      inputs: a list of inputs per step: tensors [batch, size], or nested tuples of them.
      initial_states_fw, initial_states_bw: lists of initial states, one per layer; by default zeros.
      dtype: dtype of the zero states; required without initial states.
      sequence_length: int vector [batch].
      scope: variable scope name, or a VariableScope; by default "stack_bidirectional_rnn".

    Returns:
      (outputs, states_fw, states_bw): a list of the last layer's outputs, [batch, both sizes], and tuples of the final
        states, one per layer.

    Raises:
      ValueError: if the cells or states are not lists or differ in length; otherwise as in `static_bidirectional_rnn`.
    """
    _check_layers(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    none = [None] * len(cells_fw)
    layers = zip(cells_fw, cells_bw, initial_states_fw or none, initial_states_bw or none)
    states: list[tuple] = []
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for index, (cell_fw, cell_bw, state_fw, state_bw) in enumerate(layers):
            with variable_scope(f"cell_{index}") as layer:
                inputs, *last = static_bidirectional_rnn(
                    cell_fw,
                    cell_bw,
                    inputs,
                    initial_state_fw=state_fw,
                    initial_state_bw=state_bw,
                    sequence_length=sequence_length,
                    dtype=dtype,
                    scope=layer,
                )
            states.append(tuple(last))
    states_fw, states_bw = zip(*states)
    return inputs, states_fw, states_bw


def stack_bidirectional_dynamic_rnn(
    cells_fw: list[Any],
    cells_bw: list[Any],
    inputs: TensorLike,
    initial_states_fw: list[Any] | None = None,
    initial_states_bw: list[Any] | None = None,
    dtype: DTypeLike | None = None,
    sequence_length: TensorLike | None = None,
    parallel_iterations: int | None = None,
    time_major: bool = False,
    scope: str | VariableScope | None = None,
    swap_memory: bool = False,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """Builds stacked layers of `tf.nn.bidirectional_dynamic_rnn`, as in https://arxiv.org/abs/1303.5778.

    Args:
      inputs: a tensor [batch, time, ...], or a nested tuple of tensors.
      sequence_length, parallel_iterations, time_major, swap_memory: see `tf.nn.dynamic_rnn`.
      Other arguments are as in `stack_bidirectional_rnn`.

    Returns:
      (outputs, states_fw, states_bw): the last layer's outputs [batch, time, both sizes], and tuples of the final
      states, one per layer.

    Raises:
      ValueError: if the cells or states are not lists or differ in length; otherwise as in `bidirectional_dynamic_rnn`.
    """
    _check_layers(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    none = [None] * len(cells_fw)
    layers = zip(cells_fw, cells_bw, initial_states_fw or none, initial_states_bw or none)
    states = []
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for index, (cell_fw, cell_bw, state_fw, state_bw) in enumerate(layers):
            with variable_scope(f"cell_{index}"):
                outputs, last = bidirectional_dynamic_rnn(
                    cell_fw,
                    cell_bw,
                    inputs,
                    initial_state_fw=state_fw,
                    initial_state_bw=state_bw,
                    sequence_length=sequence_length,
                    parallel_iterations=parallel_iterations,
                    dtype=dtype,
                    swap_memory=swap_memory,
                    time_major=time_major,
                )
                inputs = ops.concat(outputs, 2)
            states.append(last)
    states_fw, states_bw = zip(*states)
    return inputs, states_fw, states_bw


def _check_layers(cells_fw: Any, cells_bw: Any, states_fw: Any, states_bw: Any) -> None:
    """Raises ValueError unless cells and states are lists of equal length for both directions."""
    pairs = [("fw", cells_fw, states_fw), ("bw", cells_bw, states_bw)]
    for direction, cells, _ in pairs:
        if not cells:
            raise ValueError(f"Must specify at least one {direction} cell for BidirectionalRNN.")
    for direction, cells, _ in pairs:
        if not isinstance(cells, list):
            raise ValueError(f"cells_{direction} must be a list of RNNCells (one per layer).")
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")
    for direction, cells, states in pairs:
        if states is None:
            continue
        if not isinstance(states, list) or len(states) != len(cells):
            raise ValueError(
                f"initial_states_{direction} must be a list of state tensors (one per layer)."
            )
