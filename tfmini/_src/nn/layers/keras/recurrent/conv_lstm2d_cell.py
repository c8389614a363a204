"""ConvLSTM2DCell: one step of an LSTM on images, which uses convolutions instead of matrix products."""

from __future__ import annotations

from typing import Any

from tfmini._src.nn.layers.backend.spatial_functions import bias_add, conv2d
from tfmini._src.nn.layers.keras.recurrent.base_cell import ROLES, apply_gate_masks
from tfmini._src.nn.layers.keras.recurrent.lstm_cell import LSTMCell
from tfmini._src.nn.layers.windows.conv_output_length import normalize_padding, normalize_tuple
from tfmini._src.nn.layers.windows.window_arguments import resolve_data_format
from tfmini._src.ops import ops

WINDOWS = ("filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate")


class ConvLSTM2DCell(LSTMCell):
    """One step of an LSTM on images [batch, rows, columns, channels] that uses convolutions.

    Args:
      filters: number of channels of output, state and carry.
      kernel_size, strides, padding, data_format, dilation_rate: for the inputs' convolution, as in `Conv2D`; the
        convolution of the states has filters of the same size and preserves the states' size.
      **kwargs: other arguments are as in `LSTMCell`.
    """

    _in_config = (
        *(*WINDOWS, "activation", "recurrent_activation", "use_bias"),
        *(*ROLES["initializer"], "unit_forget_bias"),
        *(*ROLES["regularizer"], *ROLES["constraint"]),
        *("dropout", "recurrent_dropout"),
    )

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1),
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: Any = (1, 1),
        **kwargs: Any,
    ):
        super().__init__(filters, **kwargs)
        self.filters = filters
        self.state_size = (filters, filters)
        self.kernel_size = normalize_tuple(kernel_size, 2, "kernel_size")
        self.strides = normalize_tuple(strides, 2, "strides")
        self.padding = normalize_padding(padding)
        self.data_format = resolve_data_format(data_format)
        self.dilation_rate = normalize_tuple(dilation_rate, 2, "dilation_rate")

    def build(self, input_shape: Any) -> None:
        """Creates `kernel` [rows, columns, channels, filters * 4], `recurrent_kernel` and `bias`.

        Raises:
          ValueError: if the number of channels is unknown.
        """
        depth = input_shape[1 if self.data_format == "channels_first" else -1]
        if depth is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        count = self.filters * self._gates
        self.kernel_shape = (*self.kernel_size, depth, count)
        self.kernel = self._add_role_weight("kernel", self.kernel_shape)
        self.recurrent_kernel = self._add_role_weight(
            "recurrent", (*self.kernel_size, self.filters, count), "recurrent_kernel"
        )
        self.bias = self._add_role_weight("bias", (count,)) if self.use_bias else None
        self.built = True

    def call(self, inputs: Any, states: Any, training: Any = None) -> tuple:
        """Computes one step; returns (output, [output, carry]).

        Args:
          inputs: [batch, rows, columns, channels].
          states: [output, carry] of the preceding step.
          training: whether dropout applies; None for the learning phase.
        """
        hidden, carry = states
        masks = self.get_dropout_mask_for_cell(inputs, training, count=4)
        state_masks = self.get_recurrent_dropout_mask_for_cell(hidden, training, count=4)
        images = apply_gate_masks(inputs, masks, self.dropout, 4)
        masked = apply_gate_masks(hidden, state_masks, self.recurrent_dropout, 4)
        kernels = ops.split(self.kernel, 4, axis=3)
        recurrent = ops.split(self.recurrent_kernel, 4, axis=3)
        biases = ops.split(self.bias, 4) if self.use_bias else [None] * 4
        x = [
            self.input_conv(image, kernel, bias, padding=self.padding)
            for image, kernel, bias in zip(images, kernels, biases)
        ]
        h = [self.recurrent_conv(image, kernel) for image, kernel in zip(masked, recurrent)]
        i = self.recurrent_activation(x[0] + h[0])
        f = self.recurrent_activation(x[1] + h[1])
        carry = f * carry + i * self.activation(x[2] + h[2])
        o = self.recurrent_activation(x[3] + h[3])
        output = o * self.activation(carry)
        return output, [output, carry]

    def get_initial_state(
        self, inputs: Any = None, batch_size: Any = None, dtype: Any = None
    ) -> Any:
        """Returns zeros for output and carry: [batch, rows, columns, filters] each.

        Args:
          inputs: the step's inputs, which determine the sizes.
          batch_size, dtype: batch size and dtype of the inputs.
        """
        kernel = ops.zeros((*self.kernel_shape[:-1], self.filters))
        state = self.input_conv(ops.zeros_like(inputs), kernel, padding=self.padding)
        return [state, state]

    def input_conv(self, x: Any, w: Any, b: Any = None, padding: str = "valid") -> Any:
        """Convolves inputs with a gate's kernel and adds its bias."""
        output = conv2d(
            x,
            w,
            strides=self.strides,
            padding=padding,
            data_format=self.data_format,
            dilation_rate=self.dilation_rate,
        )
        return output if b is None else bias_add(output, b, data_format=self.data_format)

    def recurrent_conv(self, x: Any, w: Any) -> Any:
        """Convolves states with a gate's kernel."""
        return conv2d(x, w, strides=(1, 1), padding="same", data_format=self.data_format)
