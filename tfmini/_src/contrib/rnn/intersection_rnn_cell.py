"""Intersection RNN of Collins et al. (2016), "Capacity and Trainability in Recurrent Neural Networks"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.rnn.coupled_input_forget_gate_lstm_cell import static_depth
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.rnn.linear import Linear
from tfmini._src.nn.rnn.rnn_cell import RNNCell
from tfmini._src.ops import ops
from tfmini._src.ops.nn.activations import relu
from tfmini._src.variables.get_variable import get_variable_scope
from tfmini._src.variables.variable_scope import variable_scope


class IntersectionRNNCell(RNNCell):
    """Intersection RNN, https://arxiv.org/abs/1611.09913: gates through time and through depth.

        gh, h, gy, y = [inputs, state] @ kernel + bias
        state = sigmoid(gh + forget_bias) * state + (1 - sigmoid(gh + forget_bias)) * tanh(h)
        output = sigmoid(gy + forget_bias) * inputs + (1 - sigmoid(gy + forget_bias)) * y_activation(y)

    Inputs are [batch, num_units], or projected to that shape; the state and the output are [batch, num_units].

    Args:
      num_units: number of units.
      num_in_proj: size of projected inputs, which must be num_units; required for inputs of any other size.
      initializer: variable initializer; by default the variable scope's.
      forget_bias: added to the gates.
      y_activation: activation function.
      reuse: True to reuse the scope's existing variables.

    Raises:
      ValueError: on call, for inputs of any other size without `num_in_proj`, or of unknown size.
    """

    state_size: int = read_only("num_units.", "_num_units")
    output_size: int = read_only("num_units.", "_num_units")

    def __init__(
        self,
        num_units: int,
        num_in_proj: int | None = None,
        initializer: Callable[..., Any] | None = None,
        forget_bias: float = 1.0,
        y_activation: Callable[..., Any] = relu,
        reuse: bool | None = None,
    ):
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._initializer = initializer
        self._forget_bias = forget_bias
        self._num_input_proj = num_in_proj
        self._y_activation = y_activation
        self._reuse = reuse
        self._linear1: Linear | None = None
        self._linear2: Linear | None = None

    def call(self, inputs: TensorLike, state: Any) -> Any:
        """Computes one step; returns (output, next state)."""
        depth = static_depth(inputs)
        n = self._num_units
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            if depth != n:
                if not self._num_input_proj:
                    raise ValueError(
                        "Must have input size == output size for Intersection RNN. To fix, "
                        "num_in_proj should be set to num_units at cell init."
                    )
                with variable_scope("in_projection"):
                    if self._linear1 is None:
                        self._linear1 = Linear(inputs, n, True)
                    inputs = self._linear1(inputs)
            both = ops.concat([inputs, state], 1)
            if self._linear2 is None:
                self._linear2 = Linear(both, 4 * n, True)
            sums = self._linear2(both)
            gh, h = sums[:, :n], sums[:, n : 2 * n]
            gy, y = sums[:, 2 * n : 3 * n], sums[:, 3 * n : 4 * n]
            h, y = ops.tanh(h), self._y_activation(y)
            gh = ops.sigmoid(gh + self._forget_bias)
            gy = ops.sigmoid(gy + self._forget_bias)
            state = gh * state + (1.0 - gh) * h
            return gy * inputs + (1.0 - gy) * y, state
