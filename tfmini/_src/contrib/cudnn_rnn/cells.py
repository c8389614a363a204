"""Cells with the variables and formulas of cuDNN's LSTM and GRU, for models trained with cuDNN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.shapes import dimension_value
from tfmini._src.contrib.rnn.lstm_block_cell import LSTMBlockCell
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.rnn.gru_cell import GRUCell
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import Constant, Zeros


class CudnnCompatibleLSTMCell(LSTMBlockCell):
    """An `LSTMBlockCell` without forget bias, which uses the variable names of cuDNN layers in checkpoints.

    Args:
      num_units: number of units.
      reuse: True to reuse the scope's existing variables.

    Example: `outputs, state = tf.nn.dynamic_rnn(tf.contrib.cudnn_rnn.CudnnCompatibleLSTMCell(64), x, dtype=tf.float32)`
    """

    def __init__(self, num_units: int, reuse: bool | None = None):
        super().__init__(
            num_units,
            forget_bias=0,
            cell_clip=None,
            use_peephole=False,
            reuse=reuse,
            name="cudnn_compatible_lstm_cell",
        )


class CudnnCompatibleGRUCell(GRUCell):
    """A gated recurrent unit whose reset gate multiplies the projected state, including its bias.

        r, u = sigmoid([inputs, state] @ gates/kernel + gates/bias)
        c = tanh(inputs @ W + b_W + r * (state @ R + b_R))
        output = state = (1 - u) * c + u * state

    W is `candidate/input_projection/kernel`, R `candidate/hidden_projection/kernel`.

    Args:
      num_units: number of units.
      reuse: True to reuse the scope's existing variables.
      kernel_initializer: an initializer, by default the variable scope's.
    """

    def __init__(
        self,
        num_units: int,
        reuse: bool | None = None,
        kernel_initializer: Callable[..., Any] | None = None,
    ):
        super().__init__(
            num_units, activation=None, reuse=reuse, kernel_initializer=kernel_initializer
        )

    def build(self, inputs_shape: Any) -> None:
        """Creates kernels and biases for inputs [batch, depth].

        Raises:
          ValueError: if the depth is unknown.
        """
        depth, units = dimension_value(inputs_shape[1]), self._num_units
        if depth is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
        self._gate_kernel = self._kernel("gates", [depth + units, 2 * units])
        self._gate_bias = self._bias("gates", 2 * units, Constant(1.0, dtype=self.dtype))
        self._input_kernel = self._kernel("candidate/input_projection", [depth, units])
        self._hidden_kernel = self._kernel("candidate/hidden_projection", [units, units])
        zeros = Zeros(dtype=self.dtype)
        self._input_bias = self._bias("candidate/input_projection", units, zeros)
        self._hidden_bias = self._bias("candidate/hidden_projection", units, zeros)

    def _kernel(self, scope: str, shape: list) -> Any:
        name = f"{scope}/kernel"
        return self.add_variable(name, shape=shape, initializer=self._kernel_initializer)

    def _bias(self, scope: str, size: int, default: Any) -> Any:
        bias_initializer = self._bias_initializer
        return self.add_variable(
            f"{scope}/bias",
            shape=[size],
            initializer=default if bias_initializer is None else bias_initializer,
        )

    def call(self, inputs: TensorLike, state: Tensor) -> tuple[Any, Any]:
        """Computes one step: inputs [batch, depth] and state [batch, num_units] yield (output, state)."""
        gates = ops.matmul(ops.concat([inputs, state], 1), self._gate_kernel)
        value = ops.sigmoid(ops.bias_add(gates, self._gate_bias))
        reset, update = ops.split(value=value, num_or_size_splits=2, axis=1)
        candidate = ops.bias_add(ops.matmul(inputs, self._input_kernel), self._input_bias)
        hidden = ops.bias_add(ops.matmul(state, self._hidden_kernel), self._hidden_bias)
        candidate = self._activation(candidate + reset * hidden)
        new = (1 - update) * candidate + update * state
        return new, new
