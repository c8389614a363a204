"""A cell with attention over its own recent outputs."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.nest.containers import is_sequence
from tfmini._src.base.nest.structure import flatten
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.rnn.checks import check_cell
from tfmini._src.nn.rnn.linear import Linear
from tfmini._src.nn.rnn.rnn_cell import LSTMStateTuple, RNNCell
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.variable_scope import variable_scope


class AttentionCellWrapper(RNNCell):
    """Adds attention over a cell's last `attn_length` outputs: Cheng et al. (2016), https://arxiv.org/abs/1601.06733.

    The state is (cell state, last attention [batch, attn_size], attended outputs [batch, attn_size * attn_length]).

    Args:
      cell: the cell.
      attn_length: number of outputs attended to.
      attn_size: size of the attended outputs; by default the cell's output size.
      attn_vec_size: size of the comparison layer; by default `attn_size`.
      input_size: input size of the cell; by default the size of the inputs.
      state_is_tuple: whether the state is a tuple instead of a (slower) concatenation.
      reuse: True to reuse the scope's existing variables.

    Raises:
      TypeError: if `cell` is not a cell.
      ValueError: if `state_is_tuple` is False for a cell with a tuple state, or `attn_length` is not positive.
    """

    output_size: int = read_only("`attn_size`.", "_attn_size")

    def __init__(
        self,
        cell: RNNCell,
        attn_length: int,
        attn_size: int | None = None,
        attn_vec_size: int | None = None,
        input_size: int | None = None,
        state_is_tuple: bool = True,
        reuse: bool | None = None,
    ):
        super().__init__(_reuse=reuse)
        check_cell("cell", cell)
        if is_sequence(cell.state_size) and not state_is_tuple:
            raise ValueError(
                "Cell returns tuple of states, but the flag state_is_tuple is not set. State size "
                f"is: {cell.state_size}"
            )
        if attn_length <= 0:
            raise ValueError(f"attn_length should be greater than zero, got {attn_length}")
        if not state_is_tuple:
            logs.warn(
                "%s: Using a concatenated state is slower and will soon be deprecated.  Use "
                "state_is_tuple=True.",
                self,
            )
        self._state_is_tuple = state_is_tuple
        self._cell = cell
        self._attn_size: int = cell.output_size if attn_size is None else attn_size
        self._attn_vec_size: int = self._attn_size if attn_vec_size is None else attn_vec_size
        self._input_size = input_size
        self._attn_length = attn_length
        self._reuse = reuse
        self._linear1: Linear | None = None
        self._linear2: Linear | None = None
        self._linear3: Linear | None = None

    @property
    def state_size(self) -> Any:
        """Sizes of the cell state, the attention and the attended outputs, or their sum."""
        size = (self._cell.state_size, self._attn_size, self._attn_size * self._attn_length)
        return size if self._state_is_tuple else sum(size)

    def call(self, inputs: Tensor, state: LSTMStateTuple | Tensor) -> Any:
        """Computes one step; returns (output, next state)."""
        cell_state, attention, outputs = self._parts(state)
        outputs = ops.reshape(outputs, [-1, self._attn_length, self._attn_size])
        if self._linear1 is None:
            size = self._input_size or inputs.shape.as_list()[1]
            self._linear1 = Linear([inputs, attention], size, True)
        cell_output, cell_state = self._cell(self._linear1([inputs, attention]), cell_state)
        query = ops.concat(flatten(cell_state), 1) if self._state_is_tuple else cell_state
        attention, outputs = self._attention(query, outputs)
        with variable_scope("attn_output_projection"):
            if self._linear2 is None:
                self._linear2 = Linear([cell_output, attention], self._attn_size, True)
            output = self._linear2([cell_output, attention])
        outputs = ops.concat([outputs, ops.expand_dims(output, 1)], 1)
        outputs = ops.reshape(outputs, [-1, self._attn_length * self._attn_size])
        parts = (cell_state, attention, outputs)
        return output, parts if self._state_is_tuple else ops.concat(list(parts), 1)

    def _parts(self, state: Any) -> Any:
        if self._state_is_tuple:
            return state
        cell, size = self._cell.state_size, self._attn_size
        return (
            ops.slice(state, [0, 0], [-1, cell]),
            ops.slice(state, [0, cell], [-1, size]),
            ops.slice(state, [0, cell + size], [-1, size * self._attn_length]),
        )

    def _attention(self, query: Any, outputs: Any) -> tuple:
        """Returns the attention-weighted mean of the outputs, and the outputs without the oldest."""
        size, width = self._attn_size, self._attn_vec_size
        with variable_scope("attention"):
            kernel = get_variable("attn_w", [1, 1, size, width])
            v = get_variable("attn_v", [width])
            hidden = ops.reshape(outputs, [-1, self._attn_length, 1, size])
            features = ops.conv2d(hidden, kernel, [1, 1, 1, 1], "SAME")
            if self._linear3 is None:
                self._linear3 = Linear(query, width, True)
            y = ops.reshape(self._linear3(query), [-1, 1, 1, width])
            weights = ops.softmax(ops.reduce_sum(v * ops.tanh(features + y), [2, 3]))
            weights = ops.reshape(weights, [-1, self._attn_length, 1, 1])
            attention = ops.reshape(ops.reduce_sum(weights * hidden, [1, 2]), [-1, size])
            return attention, ops.slice(outputs, [0, 1, 0], [-1, -1, -1])
