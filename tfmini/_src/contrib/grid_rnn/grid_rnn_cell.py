"""One step of a grid of cells."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.contrib.grid_rnn.dimensions import Named, dimensions
from tfmini._src.contrib.layers.fully_connected import fully_connected
from tfmini._src.contrib.layers.initializers import xavier_initializer
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.rnn.lstm_cell import LSTMCell
from tfmini._src.nn.rnn.rnn_cell import RNNCell
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope, get_variable, get_variable_scope
from tfmini._src.variables.variable_scope import variable_scope


class GridRNNCell(RNNCell):
    """A grid of cells, one per dimension, https://arxiv.org/abs/1507.01526.

    Each cell reads the latest outputs of all dimensions: of this step if already computed, else of the previous step.
    In input dimensions, the input replaces outputs and memories.

    Args:
      num_units: number of units per dimension.
      num_dims: number of dimensions.
      input_dims: index or indices of the input dimensions, which read equal parts of the input's columns.
      output_dims: dimensions that provide the outputs of the grid.
      priority_dims: dimensions computed last (section 3.2).
      non_recurrent_dims: dimensions without state: a fully connected layer (section 3.3).
      tied: whether the cells share weights.
      cell_fn: function from a number of units to a cell, by default an LSTM cell. LSTM states must be tuples.
      non_recurrent_fn: activation of dimensions without state; by default ReLU.
      state_is_tuple: whether the state is a tuple of the dimensions' states instead of their (slower) concatenation.
      output_is_tuple: likewise for outputs.

    Raises:
      ValueError: if there are no dimensions, or an index is out of range.
      TypeError: if `cell_fn` does not return an RNNCell.

    Example:
      cell = tf.contrib.grid_rnn.GridRNNCell(8, num_dims=2, input_dims=0, output_dims=1)
      outputs, states = tf.nn.static_rnn(cell, steps, dtype=tf.float32)
    """

    def __init__(
        self,
        num_units: int,
        num_dims: int = 1,
        input_dims: Named = None,
        output_dims: Named = None,
        priority_dims: Named = None,
        non_recurrent_dims: Named = None,
        tied: bool = False,
        cell_fn: Callable[[int], RNNCell] | None = None,
        non_recurrent_fn: Callable[..., Any] | None = None,
        state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ):
        super().__init__()
        for is_tuple, role in ((state_is_tuple, "state"), (output_is_tuple, "output")):
            if not is_tuple:
                text = "%s: Using a concatenated %s is slower and will soon be deprecated.  Use %s_is_tuple=True."
                logs.warning(text, self, role, role)
        self._grid = dimensions(
            num_dims, input_dims, output_dims, priority_dims, non_recurrent_dims
        )
        self._units, self._tied = num_units, tied
        self._activation = non_recurrent_fn or ops.relu
        self._state_is_tuple, self._output_is_tuple = state_is_tuple, output_is_tuple

        def create_cell() -> RNNCell:
            if cell_fn is None:
                return LSTMCell(num_units, state_is_tuple=state_is_tuple)
            return cell_fn(num_units)

        self._cells = (
            [create_cell()] * num_dims if tied else [create_cell() for _ in range(num_dims)]
        )
        if not isinstance(self._cells[0], RNNCell):
            raise TypeError(f"cell_fn must return an RNNCell instance, saw: {type(self._cells[0])}")

    @property
    def output_size(self) -> Any:
        """Sizes of the output dimensions, or their sum."""
        sizes = tuple(self._cells[0].output_size for _ in self._grid.outputs)
        return sizes if self._output_is_tuple else sum(sizes)

    @property
    def state_size(self) -> Any:
        """State sizes of the recurrent dimensions, or their sum."""
        if self._state_is_tuple:
            return tuple(self._cells[0].state_size for _ in self._grid.recurrent)
        return self._cell_state_size * len(self._grid.recurrent)

    @property
    def _cell_state_size(self) -> int:
        sizes = self._cells[0].state_size
        return sum(sizes) if isinstance(sizes, tuple) else sizes

    @property
    def _memory_size(self) -> int:
        """Size of a cell's state without its output."""
        return self._cell_state_size - self._units

    def __call__(self, inputs: Any, state: Any, scope: str | VariableScope | None = None) -> Any:
        """Computes one step.

        Args:
          inputs: [batch, columns].
          state: the state before the step.
          scope: variable scope or its name; by default the class name.

        Returns:
          (outputs [batch, units] of the output dimensions, next state).

        Raises:
          ValueError: if the state is a tuple of a different length.
        """
        grid, dtype = self._grid, inputs.dtype
        step = _Step(*self._split(state), [None] * grid.count, [None] * grid.count)
        with variable_scope(scope or type(self).__name__):
            self._read(inputs, step)
            self._propagate(grid.first, step, True)
            self._propagate(grid.last, step, False)
            output = [step.outputs[dim] for dim in grid.outputs]
            states = [step.states[dim] for dim in grid.recurrent]
            return (
                tuple(output) if self._output_is_tuple else _concat(output, dtype),
                tuple(states)
                if self._state_is_tuple
                else _concat([part for parts in states for part in parts], dtype),
            )

    def _split(self, state: Any) -> tuple[list[Any], list[Any]]:
        """Returns the memories and the outputs of the dimensions, each None if the state lacks it."""
        memories: list[Any] = [None] * self._grid.count
        outputs: list[Any] = [None] * self._grid.count
        recurrent, has_memory = self._grid.recurrent, self._memory_size > 0
        if self._state_is_tuple:
            if len(recurrent) != len(state):
                raise ValueError(f"Expected state as a tuple of {len(recurrent)} element")
            for dim, part in zip(recurrent, state):
                if has_memory:
                    memories[dim], outputs[dim] = part
                else:
                    outputs[dim] = part
            return memories, outputs
        units = self._units
        for position, dim in enumerate(recurrent):
            start = position * self._cell_state_size
            part = ops.slice(state, [0, start], [-1, units])
            if has_memory:
                memories[dim] = part
                part = ops.slice(state, [0, start + units], [-1, self._memory_size])
            outputs[dim] = part
        return memories, outputs

    def _read(self, inputs: Any, step: _Step) -> None:
        """Replaces the state of the input dimensions with projections of the input."""
        dims = self._grid.inputs
        if not inputs.shape.with_rank(2).dims[1].value > 0 or not dims:
            return
        shares = ops.split(value=inputs, num_or_size_splits=len(dims), axis=1)
        size = shares[0].shape.with_rank(2).dims[1].value
        for dim, share in zip(dims, shares):
            targets = [("m", step.previous)]
            if self._memory_size > 0:
                targets.append(("c", step.memories))
            for letter, target in targets:
                weights = get_variable(
                    f"project_{letter}_{dim}", [size, self._units], dtype=inputs.dtype
                )
                target[dim] = ops.matmul(share, weights)

    def _propagate(self, dims: Sequence[int], step: _Step, is_first: bool) -> None:
        """Computes the outputs and states of some dimensions from the same previous state."""
        if not dims:
            return
        read, last = step.read(self._grid.count)
        for dim in dims:
            reuses = self._tied and not (is_first and dim == dims[0])
            if dim in self._grid.recurrent:
                with self._cell_scope("recurrent", dim, reuses):
                    memory = step.memories[dim]
                    state = last if memory is None else (memory, last)
                    step.outputs[dim], step.states[dim] = self._cells[dim](read, state)
                continue
            inputs = ops.concat([read, last], 1) if self._grid.count > 1 else last
            with self._cell_scope("non_recurrent", dim, reuses):
                step.outputs[dim] = self._project(inputs)

    @contextlib.contextmanager
    def _cell_scope(self, scope: str, dim: int, reuses: bool) -> Iterator[None]:
        with variable_scope(scope if self._tied else f"{scope}/cell_{dim}"):
            if reuses:
                get_variable_scope().reuse_variables()
            yield

    def _project(self, inputs: Tensor) -> Tensor:
        scope = get_variable_scope()
        return fully_connected(
            inputs,
            num_outputs=self._units,
            activation_fn=self._activation,
            weights_initializer=scope.initializer or xavier_initializer(),
            weights_regularizer=scope.regularizer,
        )


class _Step:
    """Previous states and outputs of the dimensions, and the new ones computed so far."""

    def __init__(
        self, memories: list[Any], previous: list[Any], outputs: list[Any], states: list[Any]
    ):
        self.memories, self.previous = memories, previous
        self.outputs, self.states = outputs, states

    def read(self, count: int) -> tuple[Tensor, Any]:
        """Returns the concatenated outputs of all dimensions but the last, and the output of the last."""
        newest = [
            old if new is None else new
            for old, new in zip(self.previous, self.outputs, strict=True)
        ]
        if count > 1:
            return ops.concat(newest[:-1], 1), newest[-1]
        rows = newest[0].get_shape().as_list()[0]
        return ops.zeros([rows, 0], newest[0].dtype), newest[0]


def _concat(tensors: list[Any], dtype: Any) -> Tensor:
    return ops.concat(tensors, 1) if tensors else ops.zeros([0, 0], dtype)
