"""The gated recurrent unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.activations import find_activation
from tfmini._src.nn.layers.initializers import find_initializer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.rnn.rnn_cell import LayerRNNCell, check_floating, check_inputs, input_depth
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import Constant, Zeros

if TYPE_CHECKING:
    from tfmini._src.nn.layers.deserialize import Identifier


class GRUCell(LayerRNNCell):
    """The gated recurrent unit of Cho et al. (2014), http://arxiv.org/abs/1406.1078.

        r, u = sigmoid([inputs, state] @ gates/kernel + gates/bias)
        c = activation([inputs, r * state] @ candidate/kernel + candidate/bias)
        output = state = u * state + (1 - u) * c

    Inputs are [batch, depth]; the state and the output are [batch, num_units]. The kernels have depth +
    num_units rows; the gate bias is initialized to 1, the candidate bias to 0.

    Args:
      num_units, activation, reuse, name, dtype, **kwargs: as in `BasicLSTMCell`.
      kernel_initializer, bias_initializer: initializers or their names; kernels default to the variable scope's.

    Raises:
      ValueError: if the dtype is neither floating-point nor complex; when called, also if the depth is
        not known statically.

    Example: `outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(64), x, dtype=tf.float32)`.
    """

    _kept = ("num_units", "kernel_initializer", "bias_initializer", "activation", "reuse")

    @deprecated(
        None,
        "This class is equivalent as tf.keras.layers.GRUCell, and will be replaced by that in "
        "Tensorflow 2.0.",
    )
    def __init__(
        self,
        num_units: int,
        activation: Identifier | None = None,
        reuse: bool | None = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        **kwargs: Any,
    ):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_floating(self.dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = find_activation(activation) if activation else ops.tanh
        self._kernel_initializer = find_initializer(kernel_initializer)
        self._bias_initializer = find_initializer(bias_initializer)

    state_size: int = read_only("num_units.", "_num_units")
    output_size: int = read_only("num_units.", "_num_units")

    def build(self, input_shape: Any) -> None:
        """Creates the kernels and biases for inputs [batch, depth]."""
        depth = input_depth(input_shape)
        check_floating(self.dtype)
        units = self._num_units
        self._gate_kernel = self.add_variable(
            "gates/kernel", shape=[depth + units, 2 * units], initializer=self._kernel_initializer
        )
        bias_initializer = self._bias_initializer
        self._gate_bias = self.add_variable(
            "gates/bias",
            shape=[2 * units],
            initializer=Constant(1.0, dtype=self.dtype)
            if bias_initializer is None
            else bias_initializer,
        )
        self._candidate_kernel = self.add_variable(
            "candidate/kernel", shape=[depth + units, units], initializer=self._kernel_initializer
        )
        self._candidate_bias = self.add_variable(
            "candidate/bias",
            shape=[units],
            initializer=Zeros(dtype=self.dtype) if bias_initializer is None else bias_initializer,
        )
        self.built = True

    def call(self, inputs: TensorLike, state: Tensor) -> Any:
        """Computes one step; returns (output, next state)."""
        check_inputs(inputs, state)
        sums = ops.matmul(ops.concat([inputs, state], 1), self._gate_kernel)
        gates = ops.sigmoid(ops.bias_add(sums, self._gate_bias))
        r, u = ops.split(value=gates, num_or_size_splits=2, axis=1)
        sums = ops.matmul(ops.concat([inputs, r * state], 1), self._candidate_kernel)
        c = self._activation(ops.bias_add(sums, self._candidate_bias))
        state = u * state + (1 - u) * c
        return state, state
