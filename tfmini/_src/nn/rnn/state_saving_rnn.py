"""`tf.nn.static_state_saving_rnn`: stores the state in a state saver between runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.nest.containers import is_sequence
from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.rnn.static_rnn import static_rnn
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.nn.rnn.rnn_cell import RNNCell
    from tfmini._src.variables.get_variable import VariableScope


@deprecated(
    None,
    "Please use `keras.layers.RNN(cell, stateful=True)`, which is equivalent to this API",
)
def static_state_saving_rnn(
    cell: RNNCell,
    inputs: TensorLike,
    state_saver: Any,
    state_name: str | Sequence[Any],
    sequence_length: TensorLike | None = None,
    scope: str | VariableScope | None = None,
) -> tuple[list[Any], Any]:
    """`tf.nn.static_rnn` that loads its initial state from `state_saver` and saves the final state there.

    Args:
      cell: an RNNCell.
      inputs: a list of tensors [batch, size], one per step.
      state_saver: an object with the methods `state(name)`, which returns a tensor, and `save_state(name, value)`,
        which returns an operation.
      state_name: the name of the state, or a tuple of names if `cell.state_size` is a tuple.
      sequence_length: see `tf.nn.static_rnn`.
      scope: variable scope, by name or as a VariableScope; default "rnn".

    Returns:
      (outputs, state), as for `tf.nn.static_rnn`; evaluating the last output or the state also saves the state.

    Raises:
      TypeError: if `cell` is not a cell.
      ValueError: if `inputs` is empty, or `state_name` and `cell.state_size` differ in structure.
    """
    sizes = cell.state_size
    nested = is_sequence(sizes)
    if nested != is_sequence(state_name):
        raise ValueError(
            "state_name should be the same type as cell.state_size.  "
            f"state_name: {state_name}, cell.state_size: {sizes}"
        )
    names = flatten(state_name)
    if nested and len(names) != len(flatten(sizes)):
        raise ValueError(
            f"#elems(state_name) != #elems(state_size): {len(names)} vs. {len(flatten(sizes))}"
        )
    first = [state_saver.state(name) for name in names]
    outputs, state = static_rnn(
        cell,
        inputs,
        initial_state=pack_sequence_as(sizes, first) if nested else first[0],
        sequence_length=sequence_length,
        scope=scope,
    )
    flat_state = flatten(state) if nested else [state]
    saved = [state_saver.save_state(name, part) for name, part in zip(names, flat_state)]
    with control_dependencies(saved):
        outputs[-1] = map_structure(ops.identity, outputs[-1])
        flat_state = [ops.identity(part) for part in flat_state]
        return outputs, pack_sequence_as(state, flat_state) if nested else flat_state[0]
