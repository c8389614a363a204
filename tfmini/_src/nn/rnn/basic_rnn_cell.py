"""The basic RNN cell, whose output is its state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.activations import find_activation
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.rnn.rnn_cell import LayerRNNCell, check_floating, check_inputs, input_depth
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import Zeros

if TYPE_CHECKING:
    from tfmini._src.nn.layers.deserialize import Identifier


class BasicRNNCell(LayerRNNCell):
    """An Elman network (1990): output = state = activation([inputs, state] @ kernel + bias).

    Inputs are [batch, depth]; the state and the output are [batch, num_units]. The weights are
    `kernel`: [depth + num_units, num_units], and `bias`: [num_units], initially zero.

    Args:
      num_units, activation, reuse, name, dtype, **kwargs: as in `BasicLSTMCell`.

    Raises:
      ValueError: if the dtype is neither floating-point nor complex; when called, also if the depth is
        not known statically.

    Example: `output, state = cell(x, cell.zero_state(batch_size, tf.float32))`.
    """

    _kept = ("num_units", "activation", "reuse")

    @deprecated(
        None,
        "This class is equivalent as tf.keras.layers.SimpleRNNCell, and will be replaced by that in "
        "Tensorflow 2.0.",
    )
    def __init__(
        self,
        num_units: int,
        activation: Identifier | None = None,
        reuse: bool | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        **kwargs: Any,
    ):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_floating(self.dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = find_activation(activation) if activation else ops.tanh

    state_size: int = read_only("num_units.", "_num_units")
    output_size: int = read_only("num_units.", "_num_units")

    def build(self, input_shape: Any) -> None:
        """Creates the kernel and bias for inputs [batch, depth]."""
        depth = input_depth(input_shape)
        check_floating(self.dtype)
        self._kernel = self.add_variable("kernel", shape=[depth + self._num_units, self._num_units])
        self._bias = self.add_variable(
            "bias", shape=[self._num_units], initializer=Zeros(dtype=self.dtype)
        )
        self.built = True

    def call(self, inputs: TensorLike, state: Tensor) -> Any:
        """Computes one step; returns (output, next state)."""
        check_inputs(inputs, state)
        sums = ops.matmul(ops.concat([inputs, state], 1), self._kernel)
        output = self._activation(ops.bias_add(sums, self._bias))
        return output, output
