"""StackedRNNCells: combines a stack of cells into one cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.keras.recurrent.cell_states import (
    cell_output_size,
    has_argument,
    to_sizes,
    zeros_of_cell,
)
from tfmini._src.nn.layers.serialization.layer_registry import deserialize_layer


class StackedRNNCells(Layer):
    """A stack of cells, each of which receives the output of the previous one; its states form a tuple.

    Args:
      cells: the cells.
      reverse_state_order (keyword): whether the states are in reverse order.

    Raises:
      ValueError: for a cell without `call` or `state_size`.

    Example:
      cells = [tf.keras.layers.LSTMCell(8), tf.keras.layers.LSTMCell(4)]
      layer = tf.keras.layers.RNN(tf.keras.layers.StackedRNNCells(cells))
    """

    def __init__(self, cells: Sequence[Any], **kwargs: Any):
        for cell in cells:
            if not hasattr(cell, "call"):
                raise ValueError("All cells must have a `call` method. received cells:", cells)
            if not hasattr(cell, "state_size"):
                raise ValueError(
                    "All cells must have a `state_size` attribute. received cells:", cells
                )
        reverse_state_order = kwargs.pop("reverse_state_order", False)
        self.cells = cells
        super().__init__(**kwargs)
        self.reverse_state_order = reverse_state_order
        if reverse_state_order:
            logs.warning(
                "reverse_state_order=True in StackedRNNCells will soon be deprecated. Please update the code to "
                "work with the natural order of states if you rely on the RNN states, eg RNN(return_state=True)."
            )

    def _cells_in_state_order(self) -> Any:
        return self.cells[::-1] if self.reverse_state_order else self.cells

    @property
    def state_size(self) -> Any:
        """The state sizes of the cells, as a tuple."""
        return tuple(cell.state_size for cell in self._cells_in_state_order())

    @property
    def output_size(self) -> Any:
        """The output size of the last cell."""
        return cell_output_size(self.cells[-1])

    def get_initial_state(
        self,
        inputs: Any = None,
        batch_size: TensorLike | None = None,
        dtype: DTypeLike | None = None,
    ) -> Any:
        """Returns a tuple of the cells' initial states; batch size and dtype default to the values of `inputs`."""
        states = []
        for cell in self._cells_in_state_order():
            if getattr(cell, "get_initial_state", None):
                state = cell.get_initial_state(inputs=inputs, batch_size=batch_size, dtype=dtype)
            else:
                state = zeros_of_cell(cell, inputs, batch_size, dtype)
            states.append(state)
        return tuple(states)

    def build(self, input_shape: Any) -> None:
        """Creates the weights of the cells."""
        shape = input_shape[0] if isinstance(input_shape, list) else input_shape
        for cell in self.cells:
            if isinstance(cell, Layer) and not cell.built:
                cell.build(shape)
            shape = (shape[0], *to_sizes(cell_output_size(cell)))
        self.built = True

    def call(
        self, inputs: Any, states: Any, constants: Any = None, **kwargs: Any
    ) -> tuple[Any, ...]:
        """Computes one step of all cells; returns the last cell's output and the new states."""
        sizes = self.state_size[::-1] if self.reverse_state_order else self.state_size
        new_states = []
        for cell, cell_state in zip(self.cells, pack_sequence_as(sizes, flatten(states))):
            state = cell_state if isinstance(cell_state, (list, tuple, dict)) else [cell_state]
            if len(state) == 1 and getattr(cell, "_is_tf_rnn_cell", None) is not None:
                state = state[0]
            if has_argument(cell.call, "constants"):
                inputs, state = cell.call(inputs, state, constants=constants, **kwargs)
            else:
                inputs, state = cell.call(inputs, state, **kwargs)
            new_states.append(state)
        return inputs, pack_sequence_as(sizes, flatten(new_states))

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        cells = [
            {"class_name": type(cell).__name__, "config": cell.get_config()} for cell in self.cells
        ]
        return {**super().get_config(), "cells": cells}

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """Rebuilds the stack from `get_config` output."""
        config = dict(config)
        cells = [deserialize_layer(cell, custom_objects) for cell in config.pop("cells")]
        return cls(cells, **config)
