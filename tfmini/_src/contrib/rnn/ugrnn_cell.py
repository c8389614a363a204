"""Update gate RNN of Collins et al. (2016), "Capacity and Trainability in Recurrent Neural Networks"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.rnn.coupled_input_forget_gate_lstm_cell import static_depth
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.rnn.linear import Linear
from tfmini._src.nn.rnn.rnn_cell import RNNCell
from tfmini._src.ops import ops
from tfmini._src.ops.math.exponentials import tanh
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.variable_scope import variable_scope


class UGRNNCell(RNNCell):
    """Update gate RNN, https://arxiv.org/abs/1611.09913: a cell with a single gate.

        g, c = [inputs, state] @ kernel + bias
        g = sigmoid(g + forget_bias)
        output = state = g * state + (1 - g) * activation(c)

    Inputs are [batch, depth], the state and the output [batch, num_units].

    Args:
      num_units: number of units.
      initializer: variable initializer; by default the variable scope's.
      forget_bias: added to the gate.
      activation: activation function.
      reuse: True to reuse the scope's existing variables.

    Raises:
      ValueError: on call, if the inputs' depth is unknown.
    """

    state_size: int = read_only("num_units.", "_num_units")
    output_size: int = read_only("num_units.", "_num_units")

    def __init__(
        self,
        num_units: int,
        initializer: Callable[..., Any] | None = None,
        forget_bias: float = 1.0,
        activation: Callable[..., Any] = tanh,
        reuse: bool | None = None,
    ):
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._initializer = initializer
        self._forget_bias = forget_bias
        self._activation = activation
        self._reuse = reuse
        self._linear: Linear | None = None

    def call(self, inputs: TensorLike, state: Any) -> Any:
        """Computes one step; returns (output, next state)."""
        static_depth(inputs)
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            both = ops.concat([inputs, state], 1)
            if self._linear is None:
                self._linear = Linear(both, 2 * self._num_units, True)
            g, c = ops.split(axis=1, num_or_size_splits=2, value=self._linear(both))
            c = self._activation(c)
            g = ops.sigmoid(g + self._forget_bias)
            state = g * state + (1.0 - g) * c
        return state, state
