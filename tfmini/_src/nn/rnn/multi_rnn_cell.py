"""`MultiRNNCell`: stacks several cells into one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.nest.containers import is_sequence
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.rnn.rnn_cell import RNNCell
from tfmini._src.ops import ops
from tfmini._src.variables.trackable import Trackable
from tfmini._src.variables.variable_scope import variable_scope


class MultiRNNCell(RNNCell):
    """Stacks cells, each of which receives the output of the previous one.

    The cells run in the variable scopes "cell_0", "cell_1" and so on. Repeated cells share weights, with a warning.

    Args:
      cells: a list or tuple of cells, from input to output.
      state_is_tuple: whether the state is a tuple of the cells' states; else they are concatenated into one tensor
        [batch, sum of sizes].

    Raises:
      ValueError: if there are no cells, or a cell has a tuple state although `state_is_tuple` is False.
      TypeError: if `cells` is not a list or tuple.

    Example:
      cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(n) for n in (128, 64)])
    """

    @deprecated(
        None,
        "This class is equivalent as tf.keras.layers.StackedRNNCells, and will be replaced by that "
        "in Tensorflow 2.0.",
    )
    def __init__(self, cells: Sequence[RNNCell], state_is_tuple: bool = True):
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not is_sequence(cells):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        if len({id(cell) for cell in cells}) < len(cells):
            logs.log_first_n(
                logs.WARN,
                "At least two cells provided to MultiRNNCell are the same object and will share "
                "weights.",
                1,
            )
        for index, cell in enumerate(cells):
            if isinstance(cell, Trackable):
                self._track_trackable(cell, f"cell-{index}")
        self._cells = cells
        self._state_is_tuple = state_is_tuple
        if not state_is_tuple and any(is_sequence(cell.state_size) for cell in cells):
            raise ValueError(
                "Some cells return tuples of states, but the flag state_is_tuple is not set.  State "
                f"sizes are: {[cell.state_size for cell in cells]}"
            )

    @property
    def state_size(self) -> Any:
        """The state sizes of the cells as a tuple, or their sum."""
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        """The output size of the last cell."""
        return self._cells[-1].output_size

    def zero_state(self, batch_size: TensorLike, dtype: DTypeLike) -> Any:
        """Returns a zero state: a tuple of the cells' zero states, or one tensor."""
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            if self._state_is_tuple:
                return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
            return super().zero_state(batch_size, dtype)

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables of all cells; empty if `trainable` is False."""
        return self._collect_from_cells("trainable_weights") if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables of all cells; all of them if `trainable` is False."""
        weights = self._collect_from_cells("non_trainable_weights")
        return (
            weights if self.trainable else self._collect_from_cells("trainable_weights") + weights
        )

    def _collect_from_cells(self, attribute: str) -> list:
        layers = [cell for cell in self._cells if isinstance(cell, Layer)]
        return [variable for cell in layers for variable in getattr(cell, attribute)]

    def call(self, inputs: TensorLike, state: Any) -> Any:
        """Computes a step of each cell; returns (output of the last cell, next states)."""
        position = 0
        states = []
        for index, cell in enumerate(self._cells):
            with variable_scope(f"cell_{index}"):
                if self._state_is_tuple:
                    if not is_sequence(state):
                        raise ValueError(
                            f"Expected state to be a tuple of length {len(self.state_size)}, but "
                            f"received: {state}"
                        )
                    part = state[index]
                else:
                    part = ops.slice(state, [0, position], [-1, cell.state_size])
                    position += cell.state_size
                inputs, part = cell(inputs, part)
                states.append(part)
        return inputs, tuple(states) if self._state_is_tuple else ops.concat(states, 1)
