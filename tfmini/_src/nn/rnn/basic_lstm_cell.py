"""The plain LSTM cell, without clipping, projection or peepholes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.activations import find_activation
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.rnn.rnn_cell import (
    LayerRNNCell,
    LSTMStateTuple,
    check_floating,
    check_inputs,
    input_depth,
)
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import Zeros

if TYPE_CHECKING:
    from tfmini._src.nn.layers.deserialize import Identifier


class BasicLSTMCell(LayerRNNCell):
    """The LSTM cell of Zaremba et al. (2014), http://arxiv.org/abs/1409.2329.

        i, j, f, o = [inputs, h] @ kernel + bias
        c = c * sigmoid(f + forget_bias) + sigmoid(i) * activation(j)
        output = h = activation(c) * sigmoid(o)

    Inputs are [batch, depth]; c, h and the output are [batch, num_units]. The weights are `kernel`:
    [depth + num_units, 4 * num_units], and `bias`: [4 * num_units], initially zero.

    Args:
      num_units: number of units.
      forget_bias: added to the forget gate before its sigmoid, so that it starts open.
      state_is_tuple: whether the state is an LSTMStateTuple; else c and h are concatenated, [batch, 2 * num_units],
        which warns.
      activation: an activation function or its name; by default `tf.tanh`.
      reuse: True reuses the scope's existing variables.
      name: name of the layer and of its variable scope.
      dtype: dtype of the weights; by default the dtype of the first inputs.
      **kwargs: further layer arguments, such as `trainable`.

    Raises:
      ValueError: if the dtype is neither floating-point nor complex; when called, also if the depth is
        not known statically.

    Example: `output, (c, h) = cell(x, cell.zero_state(batch_size, tf.float32))`.
    """

    _kept = ("num_units", "forget_bias", "state_is_tuple", "activation", "reuse")

    @deprecated(
        None,
        "This class is equivalent as tf.keras.layers.LSTMCell, and will be replaced by that in "
        "Tensorflow 2.0.",
    )
    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Identifier | None = None,
        reuse: bool | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        **kwargs: Any,
    ):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        check_floating(self.dtype)
        if not state_is_tuple:
            warn_of_joined_state(self)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._forget_bias = forget_bias
        self._state_is_tuple = state_is_tuple
        self._activation = find_activation(activation) if activation else ops.tanh

    @property
    def state_size(self) -> Any:
        """The sizes of c and h: an LSTMStateTuple of num_units twice, or 2 * num_units."""
        units = self._num_units
        return LSTMStateTuple(units, units) if self._state_is_tuple else 2 * units

    output_size: int = read_only("num_units.", "_num_units")

    def build(self, input_shape: Any) -> None:
        """Creates the kernel and bias for inputs [batch, depth]."""
        depth = input_depth(input_shape)
        check_floating(self.dtype)
        units = self._num_units
        self._kernel = self.add_variable("kernel", shape=[depth + units, 4 * units])
        self._bias = self.add_variable(
            "bias", shape=[4 * units], initializer=Zeros(dtype=self.dtype)
        )
        self.built = True

    _matmul_weights: Any = read_only(
        "Weight matrix of the gates: the kernel, or a subclass's replacement.",
        "_kernel",
    )

    def call(self, inputs: TensorLike, state: LSTMStateTuple | Tensor) -> Any:
        """Computes one step; returns (h, next state)."""
        check_inputs(inputs, state)
        one = ops.constant(1, dtype=dtypes.int32)
        if self._state_is_tuple:
            c, h = state
        else:
            c, h = ops.split(value=state, num_or_size_splits=2, axis=one)
        sums = ops.matmul(ops.concat([inputs, h], 1), self._matmul_weights)
        sums = ops.bias_add(sums, self._bias)
        i, j, f, o = ops.split(value=sums, num_or_size_splits=4, axis=one)
        forget_bias = ops.constant(self._forget_bias, dtype=f.dtype)
        retained = ops.multiply(c, ops.sigmoid(ops.add(f, forget_bias)))
        c = ops.add(retained, ops.multiply(ops.sigmoid(i), self._activation(j)))
        h = ops.multiply(self._activation(c), ops.sigmoid(o))
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else ops.concat([c, h], 1)


def warn_of_joined_state(cell: Any) -> None:
    """Logs TensorFlow's warning for a cell whose state is a single tensor."""
    logs.warn(
        "%s: Using a concatenated state is slower and will soon be deprecated.  "
        "Use state_is_tuple=True.",
        cell,
    )
