"""An LSTM cell with grouped matrix products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import dimension_value
from tfmini._src.nn.rnn.linear import Linear
from tfmini._src.nn.rnn.rnn_cell import LSTMStateTuple, RNNCell
from tfmini._src.ops import ops
from tfmini._src.ops.math.exponentials import tanh
from tfmini._src.variables.get_variable import get_variable, get_variable_scope
from tfmini._src.variables.initializers import Constant
from tfmini._src.variables.variable_scope import variable_scope


class GLSTMCell(RNNCell):
    """Group LSTM, Kuchaiev and Ginsburg (2017), https://arxiv.org/abs/1703.10722.

    An LSTM cell with projection, whose inputs and outputs are split into column groups with separate products. Inputs
    are [batch, depth], the state is an LSTMStateTuple of c, [batch, num_units], and the output m.

    Args:
      num_units: number of units.
      initializer: variable initializer; by default the variable scope's.
      num_proj: size of the projected output; None for no projection.
      number_of_groups: number of groups, a divisor of depth, num_units and num_proj.
      forget_bias: added to the forget gate.
      activation: activation function of the output.
      reuse: True to reuse the scope's existing variables.

    Raises:
      ValueError: if the groups do not divide the sizes; on call, if the depth is unknown.
    """

    state_size: LSTMStateTuple = read_only("num_units and the output size.")
    output_size: int = read_only("num_proj, or num_units without a projection.")

    def __init__(
        self,
        num_units: int,
        initializer: Callable[..., Any] | None = None,
        num_proj: int | None = None,
        number_of_groups: int = 1,
        forget_bias: float = 1.0,
        activation: Callable[..., Any] = tanh,
        reuse: bool | None = None,
    ):
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._initializer = initializer
        self._num_proj = num_proj
        self._forget_bias = forget_bias
        self._activation = activation
        self._number_of_groups = number_of_groups
        if num_units % number_of_groups != 0:
            raise ValueError("num_units must be divisible by number_of_groups")
        if num_proj and num_proj % number_of_groups != 0:
            raise ValueError("num_proj must be divisible by number_of_groups")
        self._linear1: list[Linear | None] = [None] * number_of_groups
        self._linear2: Linear | None = None
        self._output_size = num_proj or num_units
        self._state_size = LSTMStateTuple(num_units, self._output_size)

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step; returns (m, next state)."""
        c, m = state
        batch_size = dimension_value(inputs.shape[0]) or ops.shape(inputs)[0]
        depth = dimension_value(inputs.shape[1])
        groups = self._number_of_groups
        if depth is None:
            raise ValueError("input size must be statically known")
        if depth % groups != 0:
            raise ValueError(
                f"input size ({depth}) must be divisible by number_of_groups ({groups})"
            )

        def columns(x: Any, group: int, size: int) -> Any:
            return ops.slice(
                input_=x,
                begin=[0, group * size],
                size=[batch_size, size],
                name=f"GLSTM_group{group}_input_generation",
            )

        dtype = inputs.dtype
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            parts = []
            for group in range(groups):
                with variable_scope(f"group{group}"):
                    x = columns(inputs, group, depth // groups)
                    x = ops.concat([x, columns(m, group, self.output_size // groups)], axis=1)
                    linear = self._linear1[group]
                    if linear is None:
                        linear = Linear(x, 4 * (self._num_units // groups), False)
                        self._linear1[group] = linear
                    parts.append(ops.split(linear(x), 4, 1))
            biases = [
                get_variable(
                    name=f"bias_{gate}",
                    shape=[self._num_units],
                    dtype=dtype,
                    initializer=Constant(0.0, dtype=dtype),
                )
                for gate in "ijfo"
            ]
            i, j, f, o = (
                ops.bias_add(ops.concat(list(gate), axis=1), bias)
                for gate, bias in zip(zip(*parts), biases)
            )
        c = ops.sigmoid(f + self._forget_bias) * c + ops.sigmoid(i) * ops.tanh(j)
        m = ops.sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            with variable_scope("projection"):
                if self._linear2 is None:
                    self._linear2 = Linear(m, self._num_proj, False)
                m = self._linear2(m)
        return m, LSTMStateTuple(c, m)
