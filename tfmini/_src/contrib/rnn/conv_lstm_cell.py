"""LSTM cells with convolutions over the axes of sequences, images or volumes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.rnn.rnn_cell import LSTMStateTuple, RNNCell
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope, get_variable
from tfmini._src.variables.initializers import Constant


class ConvLSTMCell(RNNCell):
    """An LSTM cell whose gates are convolutions of inputs and state, Shi et al. (2015), arXiv:1506.04214.

    Inputs are [batch, sizes ..., channels], the state an LSTMStateTuple of [batch, sizes ..., output_channels] each.

    Args:
      conv_ndims: number of spatial axes: 1, 2 or 3.
      input_shape: input shape without the batch, a list.
      output_channels: number of output channels.
      kernel_shape: filter sizes.
      use_bias: whether to add gate biases.
      skip_connection: whether to concatenate the inputs to the outputs.
      forget_bias: added to the forget gate.
      initializers: ignored, as in TensorFlow.
      name: layer name.

    Raises:
      ValueError: if `input_shape` has a different number of axes.

    Example:
      cell = tf.contrib.rnn.Conv2DLSTMCell(input_shape=[32, 32, 3], output_channels=8, kernel_shape=[3, 3])
      outputs, state = tf.nn.dynamic_rnn(cell, videos, dtype=tf.float32)
    """

    output_size: TensorShape = read_only("The shape of an output, without the batch.")
    state_size: LSTMStateTuple = read_only("The shapes of the state, without the batch.")

    def __init__(
        self,
        conv_ndims: int,
        input_shape: Sequence[int],
        output_channels: int,
        kernel_shape: Sequence[int],
        use_bias: bool = True,
        skip_connection: bool = False,
        forget_bias: float = 1.0,
        initializers: Callable[..., Any] | None = None,
        name: str = "conv_lstm_cell",
    ):
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError(f"Invalid input_shape {input_shape} for conv_ndims={conv_ndims}.")
        self._conv_ndims = conv_ndims
        self._output_channels = output_channels
        self._kernel_shape = list(kernel_shape)
        self._use_bias = use_bias
        self._forget_bias = forget_bias
        self._skip_connection = skip_connection
        channels = output_channels + (input_shape[-1] if skip_connection else 0)
        state_size = TensorShape([*input_shape[:-1], output_channels])
        self._state_size = LSTMStateTuple(state_size, state_size)
        self._output_size = TensorShape([*input_shape[:-1], channels])

    def call(
        self, inputs: TensorLike, state: LSTMStateTuple, scope: str | VariableScope | None = None
    ) -> tuple[Any, ...]:
        """Computes one step; returns (output, next state)."""
        cell, hidden = state
        gates = _convolve(
            [inputs, hidden], self._kernel_shape, 4 * self._output_channels, self._use_bias
        )
        parts = ops.split(value=gates, num_or_size_splits=4, axis=self._conv_ndims + 1)
        input_gate, new_input, forget_gate, output_gate = parts
        retained = ops.sigmoid(forget_gate + self._forget_bias) * cell
        new_cell = retained + ops.sigmoid(input_gate) * ops.tanh(new_input)
        output = ops.tanh(new_cell) * ops.sigmoid(output_gate)
        if self._skip_connection:
            output = ops.concat([output, inputs], axis=-1)
        return output, LSTMStateTuple(new_cell, output)


def _convolve(args: list, filter_size: list, features: int, bias: bool) -> Any:
    """Convolves the arguments, concatenated along channels."""
    shapes = [arg.shape.as_list() for arg in args]
    rank = len(shapes[0])
    for shape in shapes:
        if len(shape) not in (3, 4, 5):
            raise ValueError(f"Conv Linear expects 3D, 4D or 5D arguments: {shapes}")
        if len(shape) != rank:
            raise ValueError(f"Conv Linear expects all args to be of same Dimension: {shapes}")
    dtype = args[0].dtype
    depth = sum(shape[-1] for shape in shapes)
    kernel = get_variable("kernel", [*filter_size, depth, features], dtype=dtype)
    joined = ops.concat(axis=rank - 1, values=args)
    convolution: Any = {3: ops.conv1d, 4: ops.conv2d, 5: ops.conv3d}[rank]
    result = convolution(joined, kernel, 1 if rank == 3 else rank * [1], padding="SAME")
    if not bias:
        return result
    biases = get_variable("biases", [features], dtype=dtype, initializer=Constant(0.0, dtype=dtype))
    return result + biases


class Conv1DLSTMCell(ConvLSTMCell):
    """`ConvLSTMCell` over sequences [batch, steps, channels]; takes the same keyword arguments."""

    def __init__(self, name: str = "conv_1d_lstm_cell", **kwargs: Any):
        super().__init__(conv_ndims=1, name=name, **kwargs)


class Conv2DLSTMCell(ConvLSTMCell):
    """`ConvLSTMCell` over images [batch, rows, columns, channels]; takes the same keyword arguments."""

    def __init__(self, name: str = "conv_2d_lstm_cell", **kwargs: Any):
        super().__init__(conv_ndims=2, name=name, **kwargs)


class Conv3DLSTMCell(ConvLSTMCell):
    """`ConvLSTMCell` over volumes; takes the same keyword arguments."""

    def __init__(self, name: str = "conv_3d_lstm_cell", **kwargs: Any):
        super().__init__(conv_ndims=3, name=name, **kwargs)
