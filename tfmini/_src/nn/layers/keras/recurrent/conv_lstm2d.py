"""ConvLSTM2D: an LSTM over sequences of images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base.shapes import Dimension, TensorShape, as_shape
from tfmini._src.nn.layers.backend.tensor_values import set_value, zeros
from tfmini._src.nn.layers.input_shapes import shapes_as_tuples
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.keras.recurrent.base_cell_layer import SingleCellRNN, cell_property
from tfmini._src.nn.layers.keras.recurrent.conv_lstm2d_cell import ConvLSTM2DCell
from tfmini._src.nn.layers.windows.conv_output_length import conv_output_length
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.base.shapes.tensor_shape import ShapeLike
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.nn.layers.deserialize import Identifier


_CHANNELS_FIRST = "channels_first"


class ConvLSTM2D(SingleCellRNN):
    """An LSTM over [batch, time, rows, columns, channels] that uses convolutions instead of matrix products.

    Returns the output of the last step, [batch, rows, columns, filters], or with `return_sequences` the outputs of all
    steps, with the time axis after the batch axis.

    Args:
      filters: number of output channels.
      kernel_size, strides, padding, data_format, dilation_rate: for the convolution of the inputs, as in `Conv2D`.
      activity_regularizer: a function from the outputs to a loss.
      return_sequences, return_state, go_backwards, stateful: as in `RNN`.
      Other arguments are as in `LSTMCell`.

    Raises:
      TypeError: for `unroll`.
      ValueError: when called, for invalid inputs.

    Example:
      outputs = tf.keras.layers.ConvLSTM2D(8, 3)(tf.keras.Input((10, 32, 32, 1)))  # [batch, 30, 30, 8]
    """

    _cell_class = ConvLSTM2DCell
    _counts_steps = True

    def __init__(
        self,
        filters: int,
        kernel_size: int | Sequence[int],
        strides: int | Sequence[int] = (1, 1),
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: int | Sequence[int] = (1, 1),
        activation: Identifier | None = "tanh",
        recurrent_activation: Identifier | None = "hard_sigmoid",
        use_bias: bool = True,
        kernel_initializer: Identifier | None = "glorot_uniform",
        recurrent_initializer: Identifier | None = "orthogonal",
        bias_initializer: Identifier | None = "zeros",
        unit_forget_bias: bool = True,
        kernel_regularizer: Identifier | None = None,
        recurrent_regularizer: Identifier | None = None,
        bias_regularizer: Identifier | None = None,
        activity_regularizer: Identifier | None = None,
        kernel_constraint: Identifier | None = None,
        recurrent_constraint: Identifier | None = None,
        bias_constraint: Identifier | None = None,
        return_sequences: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        **kwargs: Any,
    ):
        if kwargs.get("unroll"):
            raise TypeError("Unrolling isn't possible with convolutional RNNs.")
        super().__init__(locals())
        self.input_spec = [InputSpec(ndim=5)]

    filters = cell_property("filters", "Number of output channels.")
    kernel_size = cell_property("kernel_size", "Filter sizes.")
    strides = cell_property("strides", "Strides of the convolution.")
    padding = cell_property("padding", '"valid" or "same".')
    data_format = cell_property("data_format", '"channels_last" or "channels_first".')
    dilation_rate = cell_property("dilation_rate", "Dilation rate of the filters.")
    recurrent_activation = cell_property("recurrent_activation", "The activation of the gates.")
    unit_forget_bias = cell_property(
        "unit_forget_bias", "Whether the forget gate's bias is initialized to 1."
    )

    def _image_shape(self, sizes: list) -> list:
        """Returns the shape of a step's output for inputs of shape [batch, time, ...]."""
        first = self.data_format == _CHANNELS_FIRST
        spatial = sizes[3:5] if first else sizes[2:4]
        lengths = [
            conv_output_length(size, self.kernel_size[n], self.padding, self.strides[n], rate)
            for n, (size, rate) in enumerate(zip(spatial, self.dilation_rate))
        ]
        return [sizes[0], self.filters, *lengths] if first else [sizes[0], *lengths, self.filters]

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Returns the output shape; with `return_state`, a list of the output shape and the state shapes."""
        shape = shapes_as_tuples(input_shape)
        sizes = as_shape(shape[0] if isinstance(shape, list) else shape).as_list()
        image = self._image_shape(sizes)
        time = [sizes[1]] if self.return_sequences else []
        output = TensorShape([image[0], *time, *image[1:]])
        return [output, TensorShape(image), TensorShape(image)] if self.return_state else output

    def build(self, input_shape: ShapeLike) -> None:
        """Creates the cell's weights and, if stateful, the state variables."""
        sizes = as_shape(input_shape[0] if isinstance(input_shape, list) else input_shape).as_list()
        spec = InputSpec(shape=(sizes[0] if self.stateful else None, None, *sizes[2:]))
        self.input_spec = [spec, *(self.input_spec or [])[1:]]
        if not self.cell.built:
            self.cell.build((sizes[0], *sizes[2:]))
        channels = 1 if self.data_format == _CHANNELS_FIRST else 3
        if self.state_spec is None:
            around: list = [None] * 4
            around[channels] = self.filters
            self.state_spec = [InputSpec(shape=tuple(around)) for _ in self.cell.state_size]
        elif [spec.shape[channels] for spec in self.state_spec] != list(self.cell.state_size):
            raise ValueError(
                "An initial_state was passed that is not compatible with `cell.state_size`. Received `state_spec`="
                f"{[spec.shape for spec in self.state_spec]}; However `cell.state_size` is {self.cell.state_size}"
            )
        if self.stateful:
            self.reset_states()
        self.built = True

    def get_initial_state(self, inputs: Tensor) -> list[Any]:
        """Returns zeros for output and carry, in the shape of the convolved inputs."""
        zero_sum = ops.reduce_sum(ops.zeros_like(inputs), axis=1)
        kernel = ops.zeros((*self.cell.kernel_shape[:-1], self.filters))
        state = self.cell.input_conv(zero_sum, kernel, padding=self.padding)
        return [state for _ in self.cell.state_size]

    def reset_states(self, states: Any = None) -> None:
        """Resets the states to zeros, or to `states`: two arrays [batch, rows, columns, filters].

        Raises:
          AttributeError: if the layer is not stateful.
          ValueError: if a size is unknown, or for arrays of the wrong number or shape.
        """
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        # None is a TypeError, as in TensorFlow.
        dims: Any = as_shape(self.input_spec[0].shape)._dims
        shape = tuple(self._image_shape(dims))
        if None in shape:
            raise ValueError(
                "If a RNN is stateful, it needs to know its batch size. Specify the batch size of your input tensors: "
                "\n- If using a Sequential model, specify the batch size by passing a `batch_input_shape` argument to "
                "your first layer.\n- If using the functional API, specify the time dimension by passing a "
                "`batch_shape` argument to your Input layer.\nThe same thing goes for the number of rows and columns."
            )
        if self.states[0] is None:
            self.states = [zeros(shape) for _ in self.cell.state_size]
        elif states is None:
            for state in self.states:
                set_value(state, np.zeros(shape))
        else:
            values = list(states) if isinstance(states, (list, tuple)) else [states]
            expected: list = [Dimension(size) for size in shape]
            expected[1 if self.data_format == _CHANNELS_FIRST else 3] = self.filters
            self._set_states(list(self.states), values, lambda _: tuple(expected))
