"""An LSTM cell with a time gate."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.rnn.linear import Linear
from tfmini._src.nn.rnn.rnn_cell import LSTMStateTuple, RNNCell
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Constant, RandomUniform
from tfmini._src.variables.variable_scope import variable_scope


class PhasedLSTMCell(RNNCell):
    """An LSTM whose units open periodically: Neil et al. (2016), https://arxiv.org/abs/1610.09513.

    Inputs are pairs (time, x) of [batch, 1] and [batch, depth]; the state is an LSTMStateTuple of c and h,
    [batch, num_units]. A closed unit keeps its state, except for a leak.

    Args:
      num_units: number of units.
      use_peepholes: whether the gates are connected to the cell state.
      leak: leak rate of closed units.
      ratio_on: initial fraction of the period during which a unit is open.
      trainable_ratio_on: whether `ratio_on` is trainable.
      period_init_min, period_init_max: bounds of the log-uniformly distributed periods.
      reuse: True to reuse the scope's existing variables.
    """

    output_size: int = read_only("num_units.", "_num_units")

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        leak: float = 0.001,
        ratio_on: float = 0.1,
        trainable_ratio_on: bool = True,
        period_init_min: float = 1.0,
        period_init_max: float = 1000.0,
        reuse: bool | None = None,
    ):
        super().__init__(_reuse=reuse, autocast=False)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._leak = leak
        self._ratio_on = ratio_on
        self._trainable_ratio_on = trainable_ratio_on
        self._period_init_min = period_init_min
        self._period_init_max = period_init_max
        self._reuse = reuse
        self._linears: dict[str, Linear] = {}

    @property
    def state_size(self) -> LSTMStateTuple:
        """State sizes of c and h: both are `num_units`."""
        return LSTMStateTuple(self._num_units, self._num_units)

    def _product(self, scope: str, args: list, size: int) -> Any:
        if scope not in self._linears:
            self._linears[scope] = Linear(args, size, True)
        return self._linears[scope](args)

    def call(self, inputs: Tensor, state: LSTMStateTuple | Tensor) -> Any:
        """Computes one step; returns (h, next state)."""
        units = self._num_units
        c_prev, h_prev = state
        time, x = inputs
        gate_inputs = [x, h_prev]
        with variable_scope("mask_gates"):
            args = [*gate_inputs, c_prev] if self._use_peepholes else gate_inputs
            gates = ops.sigmoid(self._product("mask_gates", args, 2 * units))
            take, keep = ops.split(axis=1, num_or_size_splits=2, value=gates)
        with variable_scope("new_input"):
            new = ops.tanh(self._product("new_input", gate_inputs, units))
        c = c_prev * keep + take * new
        with variable_scope("output_gate"):
            args = [*gate_inputs, c] if self._use_peepholes else gate_inputs
            gate = ops.sigmoid(self._product("output_gate", args, units))
        h = ops.tanh(c) * gate
        openness = self._openness(time)
        c = openness * c + (1 - openness) * c_prev
        h = openness * h + (1 - openness) * h_prev
        return h, LSTMStateTuple(c, h)

    def _openness(self, time: Any) -> Any:
        """Returns the openness of each unit's time gate at the given times."""
        units = self._num_units
        period: Any = get_variable("period", [units], initializer=self._random_period)
        start = RandomUniform(0.0, period.initial_value)
        phase: Any = get_variable("phase", [units], initializer=start)
        ratio_on = get_variable(
            "ratio_on",
            [units],
            initializer=Constant(self._ratio_on),
            trainable=self._trainable_ratio_on,
        )
        phase, period = ops.cast(phase, dtype=time.dtype), ops.cast(period, dtype=time.dtype)
        shifted = time - phase
        # The remainder, with the gradient of the time itself.
        phase_shift = ops.stop_gradient(ops.mod(shifted, period) - shifted) + shifted
        ratio = ops.cast(phase_shift / period, dtype=dtypes.float32)
        up = 2 * ratio / ratio_on
        closing = 2 - up
        closed = self._leak * ratio
        openness = ops.where(ratio < ratio_on, closing, closed)
        return ops.where(ratio < 0.5 * ratio_on, up, openness)

    def _random_period(self, shape: Any, dtype: Any = None, partition_info: Any = None) -> Any:
        low, high = ops.log(self._period_init_min), ops.log(self._period_init_max)
        return ops.exp(ops.random_uniform(shape, low, high, dtype or dtypes.float32))
