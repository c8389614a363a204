"""Recurrent cell found by neural architecture search."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.rnn.rnn_cell import LayerRNNCell, LSTMStateTuple
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import Zeros


class NASCell(LayerRNNCell):
    """The cell of Zoph and Le (2016), "Neural Architecture Search", https://arxiv.org/abs/1611.01578.

    Inputs are [batch, depth]; the state is an LSTMStateTuple of c, [batch, num_units], and the output m,
    [batch, num_proj], or [batch, num_units] without a projection. The weights are `recurrent_kernel`:
    [size of m, 8 * num_units], `kernel`: [depth, 8 * num_units], `bias` and `projection_weights`.

    Args:
      num_units: number of units.
      num_proj: size of the projected output; None for no projection.
      use_bias: whether to add a bias.
      reuse: True to reuse the scope's existing variables.
      **kwargs: additional layer arguments, such as `name`.

    Raises:
      ValueError: on call, if the inputs' depth is unknown.
    """

    state_size: LSTMStateTuple = read_only("num_units and the output size.")
    output_size: int = read_only("num_proj, or num_units without a projection.")

    def __init__(
        self,
        num_units: int,
        num_proj: int | None = None,
        use_bias: bool = False,
        reuse: bool | None = None,
        **kwargs: Any,
    ):
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units = num_units
        self._num_proj = num_proj
        self._use_bias = use_bias
        self._reuse = reuse
        self._output_size = num_units if num_proj is None else num_proj
        self._state_size = LSTMStateTuple(num_units, self._output_size)

    def build(self, inputs_shape: Any) -> None:
        """Creates the weights for inputs [batch, depth]."""
        depth = dimension_value(TensorShape(inputs_shape).with_rank(2)[1])
        if depth is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        columns = 8 * self._num_units
        self.recurrent_kernel = self.add_variable("recurrent_kernel", [self.output_size, columns])
        self.kernel = self.add_variable("kernel", [depth, columns])
        if self._use_bias:
            self.bias = self.add_variable("bias", shape=[columns], initializer=Zeros)
        if self._num_proj is not None:
            self.projection_weights = self.add_variable(
                "projection_weights", [self._num_units, self._num_proj]
            )
        self.built = True

    def call(self, inputs: TensorLike, state: LSTMStateTuple | Tensor) -> Any:
        """Computes one step; returns (m, next state)."""
        sigmoid, tanh, relu = ops.sigmoid, ops.tanh, ops.relu
        c, m = state
        recurrent = ops.matmul(m, self.recurrent_kernel)
        forward = ops.matmul(inputs, self.kernel)
        if self._use_bias:
            recurrent = ops.bias_add(recurrent, self.bias)
        h = ops.split(axis=1, num_or_size_splits=8, value=recurrent)
        x = ops.split(axis=1, num_or_size_splits=8, value=forward)
        # Leaves of a tree: functions of the two products.
        a = sigmoid(x[0] + h[0])
        b = relu(x[1] + h[1])
        d = sigmoid(x[2] + h[2])
        e = relu(x[3] * h[3])
        f = tanh(x[4] + h[4])
        g = sigmoid(x[5] + h[5])
        k = tanh(x[6] + h[6])
        n = sigmoid(x[7] + h[7])
        # The tree above them; c enters at its first branch.
        first, second = tanh(a * b), tanh(d + e)
        third, fourth = tanh(f * g), sigmoid(k + n)
        c = tanh(first + c) * second
        m = tanh(c * tanh(third + fourth))
        if self._num_proj is not None:
            m = ops.matmul(m, self.projection_weights)
        return m, LSTMStateTuple(c, m)
