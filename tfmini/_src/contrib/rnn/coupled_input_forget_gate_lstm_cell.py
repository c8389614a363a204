"""An LSTM cell with coupled input and forget gates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.rnn.layer_norm import layer_normalized
from tfmini._src.contrib.rnn.sharded import concat_sharded_variable
from tfmini._src.nn.rnn.basic_lstm_cell import warn_of_joined_state
from tfmini._src.nn.rnn.rnn_cell import LSTMStateTuple, RNNCell
from tfmini._src.ops import ops
from tfmini._src.ops.math.exponentials import tanh
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros


class CoupledInputForgetGateLSTMCell(RNNCell):
    """An LSTM cell with input gate = 1 - forget gate: Greff et al. (2015), https://arxiv.org/abs/1503.04069.

        j, f, o = [inputs, m] @ W + B
        f = sigmoid(f + forget_bias + W_F_diag * c)
        c = f * c + (1 - f) * activation(j)
        output = m = (sigmoid(o + W_O_diag * c) * activation(c)) @ W_P

    The diagonal terms require `use_peepholes`, the last product `num_proj`. `layer_norm` replaces B with a
    normalization of gates, new input and cell state, https://arxiv.org/abs/1607.06450.

    Args:
      num_units: number of units.
      use_peepholes: whether the gates are connected to the cell state.
      initializer: ignored.
      num_proj: size of the projected output; None for no projection.
      proj_clip: clipping value of the projected output.
      num_unit_shards, num_proj_shards: number of partitions of W and W_P.
      forget_bias: added to the forget gate.
      state_is_tuple: whether the state is an LSTMStateTuple; else c and m are concatenated, with a warning.
      activation: activation function.
      reuse: True to reuse the scope's existing variables.
      layer_norm: whether to apply layer normalization.
      norm_gain, norm_shift: initial gammas and betas.

    Raises:
      ValueError: on call, if the inputs' depth is unknown.
    """

    state_size: Any = read_only("An LSTMStateTuple of num_units and the output size, or their sum.")
    output_size: int = read_only("num_proj, or num_units without a projection.")

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        initializer: Callable[..., Any] | None = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int = 1,
        num_proj_shards: int = 1,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Callable[..., Any] = tanh,
        reuse: bool | None = None,
        layer_norm: bool = False,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
    ):
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            warn_of_joined_state(self)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._initializer = initializer
        self._num_proj = num_proj
        self._proj_clip = proj_clip
        self._num_unit_shards = num_unit_shards
        self._num_proj_shards = num_proj_shards
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = activation
        self._reuse = reuse
        self._layer_norm = layer_norm
        self._norm_gain = norm_gain
        self._norm_shift = norm_shift
        self._output_size = num_proj or num_units
        sizes = LSTMStateTuple(num_units, self._output_size)
        self._state_size = sizes if state_is_tuple else sum(sizes)

    def _norm(self, x: Any, scope: str) -> Any:
        if not self._layer_norm:
            return x
        return layer_normalized(x, scope, self._norm_gain, self._norm_shift)

    def call(self, inputs: Any, state: Any) -> Any:
        """Computes one step; returns (m, next state)."""
        units = self._num_units
        projected = units if self._num_proj is None else self._num_proj
        if self._state_is_tuple:
            c, m = state
        else:
            c = ops.slice(state, [0, 0], [-1, units])
            m = ops.slice(state, [0, units], [-1, projected])
        dtype = inputs.dtype
        depth = static_depth(inputs)
        weights = concat_sharded_variable(
            "W", [depth + projected, 3 * units], dtype, self._num_unit_shards
        )
        bias = get_variable("B", shape=[3 * units], initializer=Zeros(), dtype=dtype)
        sums = ops.matmul(ops.concat([inputs, m], 1), weights)
        if not self._layer_norm:
            sums = ops.bias_add(sums, bias)
        j, f, o = ops.split(value=sums, num_or_size_splits=3, axis=1)
        j, f, o = self._norm(j, "transform"), self._norm(f, "forget"), self._norm(o, "output")
        if self._use_peepholes:
            w_f = get_variable("W_F_diag", shape=[units], dtype=dtype)
            w_o = get_variable("W_O_diag", shape=[units], dtype=dtype)
            f = ops.sigmoid(f + self._forget_bias + w_f * c)
        else:
            f = ops.sigmoid(f + self._forget_bias)
        c = self._norm(f * c + (1 - f) * self._activation(j), "state")
        m = ops.sigmoid(o + w_o * c if self._use_peepholes else o) * self._activation(c)
        if self._num_proj is not None:
            m = ops.matmul(
                m,
                concat_sharded_variable(
                    "W_P", [units, self._num_proj], dtype, self._num_proj_shards
                ),
            )
            if self._proj_clip is not None:
                m = ops.clip_by_value(m, -self._proj_clip, self._proj_clip)
        return m, LSTMStateTuple(c, m) if self._state_is_tuple else ops.concat([c, m], 1)


def static_depth(inputs: Any) -> int:
    """Returns the static number of columns in the inputs."""
    depth = inputs.shape.with_rank(2).dims[1].value
    if depth is None:
        raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
    return depth
