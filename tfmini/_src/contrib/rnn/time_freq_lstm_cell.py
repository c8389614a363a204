"""An LSTM cell that runs along the frequencies of its inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.rnn.sharded import concat_sharded_variable
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.rnn.rnn_cell import LSTMStateTuple, RNNCell
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import get_variable
from tfmini._src.variables.initializers import Zeros


class TimeFreqLSTMCell(RNNCell):
    """A time-frequency LSTM: Sainath and Li (2016), "Modeling Time-Frequency Patterns with LSTM vs. Convolutional
    Architectures for LVCSR Tasks".

    The inputs [batch, depth] are split into windows of `feature_size` columns, `frequency_skip` apart. An LSTM step
    with shared weights processes each window in turn, with its output at the previous time step and the previous
    window's output. Output and state are [batch, n], concatenated over all windows.

    Args:
      num_units: number of units per window.
      use_peepholes: whether the gates are connected to the cell state.
      cell_clip: clipping value of the cell state; None for no clipping.
      initializer, num_unit_shards, feature_size, frequency_skip, reuse: as in `GridLSTMCell`.
      forget_bias: added to the forget gate.

    Raises:
      ValueError: on call, if the inputs' depth is unknown.
    """

    output_size: int = read_only("num_units, the number of units of one window.")
    state_size: int = read_only("2 * num_units, for a single window.")

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Callable[..., Any] | None = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: int | None = None,
        frequency_skip: int = 1,
        reuse: bool | None = None,
    ):
        super().__init__(_reuse=reuse)
        self._num_units = num_units
        self._use_peepholes = use_peepholes
        self._cell_clip = cell_clip
        self._initializer = initializer
        self._num_unit_shards = num_unit_shards
        self._forget_bias = forget_bias
        self._feature_size = feature_size
        self._frequency_skip = frequency_skip
        self._reuse = reuse
        self._output_size, self._state_size = num_units, 2 * num_units

    def call(self, inputs: Tensor, state: LSTMStateTuple | Tensor) -> Any:
        """Computes one step; returns (outputs of all windows, states of all windows)."""
        units = self._num_units
        sigmoid, tanh = ops.sigmoid, ops.tanh
        windows = self._windows(inputs)
        dtype = inputs.dtype
        size = windows[0].shape.as_list()[1]
        weights = concat_sharded_variable(
            "W", [size + 2 * units, 4 * units], dtype, self._num_unit_shards
        )
        bias = get_variable("B", shape=[4 * units], initializer=Zeros(), dtype=dtype)
        if self._use_peepholes:
            w_f, w_i, w_o = (
                get_variable(name, shape=[units], dtype=dtype)
                for name in ("W_F_diag", "W_I_diag", "W_O_diag")
            )
        m = ops.zeros([inputs.shape.dims[0].value or inputs.shape[0], units], dtype)
        for index, window in enumerate(windows):
            c_prev = ops.slice(state, [0, 2 * index * units], [-1, units])
            m_prev = ops.slice(state, [0, (2 * index + 1) * units], [-1, units])
            sums = ops.matmul(ops.concat([window, m_prev, m], 1), weights)
            i, j, f, o = ops.split(value=ops.bias_add(sums, bias), num_or_size_splits=4, axis=1)
            if self._use_peepholes:
                retained = sigmoid(f + self._forget_bias + w_f * c_prev) * c_prev
                c = retained + sigmoid(i + w_i * c_prev) * tanh(j)
            else:
                retained = sigmoid(f + self._forget_bias) * c_prev
                c = retained + sigmoid(i) * tanh(j)
            if self._cell_clip is not None:
                c = ops.clip_by_value(c, -self._cell_clip, self._cell_clip)
            m = sigmoid(o + w_o * c if self._use_peepholes else o) * tanh(c)
            if index == 0:
                states, outputs = ops.concat([c, m], 1), m
            else:
                states, outputs = ops.concat([states, c, m], 1), ops.concat([outputs, m], 1)
        return outputs, states

    def _windows(self, inputs: Any) -> list:
        depth: Any = inputs.shape.with_rank(2).dims[-1].value
        if depth is None:
            raise ValueError("Cannot infer input_size from static shape inference.")
        size: Any = self._feature_size
        count = int((depth - size) / self._frequency_skip) + 1
        return [
            ops.slice(inputs, [0, index * self._frequency_skip], [-1, size])
            for index in range(count)
        ]
