"""Transposed convolution layers, which upsample images and volumes."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of, change_defaults, hide_arguments
from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.keras.conv import Conv, Conv2D, Conv3D
from tfmini._src.nn.layers.windows.channels_first import images_for, images_from
from tfmini._src.nn.layers.windows.conv_output_length import (
    convert_data_format,
    deconv_output_length,
    normalize_tuple,
)
from tfmini._src.nn.layers.windows.window_arguments import (
    channel_axis,
    spatial_axes,
)
from tfmini._src.ops import ops


class _ConvTranspose(Conv):
    """Base class of transposed convolutions: activation(transposed convolution + bias).

    The weights are `kernel`: [sizes ..., filters, channels], and `bias`: [filters].

    Args:
      filters, kernel_size, data_format, activation, use_bias: as in `Conv2D`.
      strides: upsampling factors, in the same form.
      padding: "valid" or "same".
      output_padding: additional output size, less than the strides; by default inferred from them.
      dilation_rate: filter dilation, for images.
      kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
        kernel_constraint, bias_constraint, trainable, name: as for `tf.layers.Conv2D`.

    Raises:
      ValueError: for inconsistent arguments; when called, for inputs of the wrong rank or of unknown channel count.
    """

    _in_config: tuple[str, ...] = (*Conv._in_config, "output_padding")

    @arguments_of(Conv)
    def __init__(self, padding: str = "valid", output_padding: Any = None, **arguments: Any):
        kwargs = arguments.pop("kwargs")
        super().__init__(padding=padding, **arguments, **kwargs)
        self.output_padding: tuple | None = None
        if output_padding is not None:
            paddings = normalize_tuple(output_padding, self._spatial_rank, "output_padding")
            if any(
                output_padding >= stride for output_padding, stride in zip(paddings, self.strides)
            ):
                raise ValueError(
                    f"Stride {self.strides} must be greater than output padding {paddings}"
                )
            self.output_padding = paddings

    def build(self, input_shape: ShapeLike) -> None:
        """Creates the kernel and bias for inputs of this shape."""
        shape = TensorShape(input_shape)
        if len(shape) != self._spatial_rank + 2:
            raise self._wrong_rank(str(shape))
        depth = self._depth(shape)
        self._restrict_inputs(depth)
        self.kernel = self._add_role_weight(
            "kernel", (*self.kernel_size, self.filters, depth), dtype=self.dtype
        )
        self.bias = (
            self._add_role_weight("bias", (self.filters,), dtype=self.dtype)
            if self.use_bias
            else None
        )
        self.built = True

    def _wrong_rank(self, shape: str) -> ValueError:
        raise NotImplementedError

    def _lengths(self, sizes: Any) -> list:
        """Returns the output sizes along the convolved axes."""
        axes = spatial_axes(self.data_format, self._spatial_rank)
        sizes = [sizes[axis] for axis in axes]
        padding = self.output_padding or (None,) * self._spatial_rank
        return [
            deconv_output_length(size, kernel, self.padding, output_padding, stride, dilation)
            for size, kernel, output_padding, stride, dilation in zip(
                sizes, self.kernel_size, padding, self.strides, self.dilation_rate
            )
        ]

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns the shape of the outputs for inputs of this shape."""
        shape = TensorShape(input_shape).as_list()
        lengths = self._lengths(shape)
        for axis, length in zip(spatial_axes(self.data_format, self._spatial_rank), lengths):
            shape[axis] = length
        first = self.data_format == "channels_first"
        shape[1 if first else self._spatial_rank + 1] = self.filters
        return TensorShape(shape)

    def _shape_with_channels(self, batch: Any, lengths: list) -> tuple:
        if self.data_format == "channels_first":
            return (batch, self.filters, *lengths)
        return (batch, *lengths, self.filters)


@hide_arguments("trainable", "name")
@change_defaults(strides=(1, 1), dilation_rate=(1, 1))
class Conv2DTranspose(_ConvTranspose, Conv2D):
    __doc__ = f"Transposed convolution of images.\n\n    {_ConvTranspose.__doc__}"
    _spatial_rank = 2

    def _wrong_rank(self, shape: str) -> ValueError:
        return ValueError("Inputs should have rank 4. Received input shape: " + shape)

    def call(self, inputs: Tensor) -> Any:
        """Returns activation(transposed convolution + bias)."""
        sizes = ops.shape(inputs)
        batch = sizes[0]
        lengths = self._lengths(sizes)
        output_shape = ops.stack(self._shape_with_channels(batch, lengths))
        is_dilated = self.dilation_rate != (1, 1)
        images, order = images_for(inputs, self.data_format, always=is_dilated)
        if order == "NHWC" and self.data_format == "channels_first":
            output_shape = ops.stack([output_shape[n] for n in (0, 2, 3, 1)])
        else:
            _ = output_shape[0]  # TensorFlow reads it, which adds a node
        strides = (1, 1, *self.strides) if order == "NCHW" else (1, *self.strides, 1)
        padding = self.padding.upper()
        if is_dilated:
            rate = self.dilation_rate[0]
            outputs = ops.atrous_conv2d_transpose(images, self.kernel, output_shape, rate, padding)
        else:
            outputs = ops.conv2d_transpose(
                images, self.kernel, output_shape, strides, padding=padding, data_format=order
            )
        outputs = images_from(outputs, order, self.data_format)
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        if self.use_bias:
            order = convert_data_format(self.data_format, ndim=4)
            outputs = ops.bias_add(outputs, self.bias, data_format=order)
        return outputs if self.activation is None else self.activation(outputs)


@hide_arguments("trainable", "name", "dilation_rate")
@change_defaults(strides=(1, 1, 1))
class Conv3DTranspose(_ConvTranspose, Conv3D):
    __doc__ = f"Transposed convolution of volumes.\n\n    {_ConvTranspose.__doc__}"

    _in_config = tuple(name for name in _ConvTranspose._in_config if name != "dilation_rate")
    _spatial_rank = 3

    def _wrong_rank(self, shape: str) -> ValueError:
        return ValueError("Inputs should have rank 5, received input shape:", shape)

    def _depth(self, shape: TensorShape) -> int:
        if shape.dims[channel_axis(self.data_format)].value is None:
            raise ValueError(
                f"The channel dimension of the inputs should be defined, found None: {shape}"
            )
        return super()._depth(shape)

    def call(self, inputs: Tensor) -> Any:
        """Returns activation(transposed convolution + bias)."""
        sizes = ops.shape(inputs)
        batch = sizes[0]
        output_shape = ops.stack(self._shape_with_channels(batch, self._lengths(sizes)))
        first = self.data_format == "channels_first"
        outputs = ops.conv3d_transpose(
            inputs,
            self.kernel,
            output_shape,
            (1, 1, *self.strides) if first else (1, *self.strides, 1),
            data_format=convert_data_format(self.data_format, ndim=5),
            padding=self.padding.upper(),
        )
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        if self.use_bias:
            order = convert_data_format(self.data_format, ndim=4)
            outputs = ops.bias_add(outputs, self.bias, data_format=order)
        return outputs if self.activation is None else self.activation(outputs)
