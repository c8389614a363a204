"""Transposed convolutions with an optional output padding."""

from __future__ import annotations

from typing import Any

from tfmini._src.nn.layers.conv_output_length import normalize_tuple
from tfmini._src.nn.layers.keras import conv_transpose

_TEXT = """
    Args:
      filters: how many channels the outputs have.
      kernel_size: the sizes of the filters, a number for all axes or one for each.
      strides: how much larger the outputs are, given in the same way.
      padding: "valid" or "same".
      output_padding: how much is added to the outputs' sizes, less than the strides; None for what follows from these.
      data_format: "channels_last" or "channels_first".
      dilation_rate (images): how far apart a filter's elements lie.
      activation: a function of a tensor, or the name of one; None for none.
      use_bias: whether there is a bias.
      kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
        kernel_constraint, bias_constraint: as for `tf.keras.layers.Conv2D`.

    Raises:
      ValueError: if arguments do not fit; when it is called, if the number of channels is not known statically, or
        inputs have another number of axes.
    """


def _more(layer: Any, output_padding: Any) -> Any:
    """The output padding of each axis."""
    if output_padding is None:
        return None
    found = normalize_tuple(output_padding, layer.rank, "output_padding")
    if any(more >= stride for more, stride in zip(found, layer.strides)):
        raise ValueError(f"Stride {layer.strides} must be greater than output padding {found}")
    return found


class Conv2DTranspose(conv_transpose.Conv2DTranspose):
    __doc__ = f"Transposed convolution of images [batch, rows, columns, channels].\n{_TEXT}"

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1),
        padding: str = "valid",
        output_padding: Any = None,
        data_format: str | None = None,
        dilation_rate: Any = (1, 1),
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ):
        super().__init__(
            filters=filters,
            kernel_size=kernel_size,
            strides=strides,
            padding=padding,
            data_format=data_format,
            dilation_rate=dilation_rate,
            activation=activation,
            use_bias=use_bias,
            kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint,
            bias_constraint=bias_constraint,
            **kwargs,
        )
        self.output_padding = _more(self, output_padding)


class Conv3DTranspose(conv_transpose.Conv3DTranspose):
    __doc__ = f"Transposed convolution of volumes [batch, depth, rows, columns, channels].\n{_TEXT}"

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1, 1),
        padding: str = "valid",
        output_padding: Any = None,
        data_format: str | None = None,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ):
        super().__init__(
            filters=filters,
            kernel_size=kernel_size,
            strides=strides,
            padding=padding,
            data_format=data_format,
            activation=activation,
            use_bias=use_bias,
            kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer,
            kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint,
            bias_constraint=bias_constraint,
            **kwargs,
        )
        self.output_padding = _more(self, output_padding)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such a layer again."""
        found = super().get_config()
        del found["dilation_rate"]  # not a constructor argument
        return found
