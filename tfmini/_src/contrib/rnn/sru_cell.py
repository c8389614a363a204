"""A cell whose matrix products do not depend on the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import dimension_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.rnn.rnn_cell import LayerRNNCell, LSTMStateTuple
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import Zeros


class SRUCell(LayerRNNCell):
    """Simple recurrent unit, Lei et al. (2017), https://arxiv.org/abs/1709.02755.

        x, f, r, t = inputs @ kernel
        f, r = sigmoid([f, r] + bias)
        state = f * state + (1 - f) * x
        output = r * activation(state) + (1 - r) * t

    Inputs are [batch, depth], the state and the output [batch, num_units].

    Args:
      num_units: number of units.
      activation: activation function; by default `tf.tanh`.
      reuse: True to reuse the scope's existing variables.
      name: name of the layer and its variable scope.
      **kwargs: additional layer arguments.

    Raises:
      ValueError: on call, if the inputs' depth is unknown.
    """

    state_size: int = read_only("num_units.", "_num_units")
    output_size: int = read_only("num_units.", "_num_units")

    def __init__(
        self,
        num_units: int,
        activation: Callable[..., Any] | None = None,
        reuse: bool | None = None,
        name: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(_reuse=reuse, name=name, **kwargs)
        self._num_units = num_units
        self._activation = activation or ops.tanh
        self.input_spec = InputSpec(ndim=2)

    def build(self, inputs_shape: Any) -> None:
        """Creates the kernel and bias for inputs [batch, depth]."""
        depth = static_column_count(inputs_shape)
        self._kernel = self.add_variable("kernel", shape=[depth, 4 * self._num_units])
        self._bias = self.add_variable("bias", shape=[2 * self._num_units], initializer=Zeros)
        self.built = True

    def call(self, inputs: TensorLike, state: LSTMStateTuple | Tensor) -> Any:
        """Computes one step; returns (output, next state)."""
        products = ops.matmul(inputs, self._kernel)
        x, f, r, t = ops.split(value=products, num_or_size_splits=4, axis=1)
        gates = ops.sigmoid(ops.bias_add(ops.concat([f, r], 1), self._bias))
        f, r = ops.split(value=gates, num_or_size_splits=2, axis=1)
        state = f * state + (1.0 - f) * x
        return r * self._activation(state) + (1.0 - r) * t, state


def static_column_count(shape: Any) -> int:
    """Returns the static number of columns in inputs of this shape."""
    if dimension_value(shape[1]) is None:
        raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {shape}")
    return dimension_value(shape[1])
