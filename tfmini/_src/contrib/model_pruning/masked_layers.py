"""Layers whose weights are multiplied by a mask."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.contrib.model_pruning.masks import MASKED_NAME, collect
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.windows.conv_output_length import (
    conv_output_length,
    convert_data_format,
    normalize_data_format,
    normalize_padding,
    normalize_tuple,
)
from tfmini._src.ops import ops
from tfmini._src.variables.initializers import Ones, Zeros

_ZEROS = Zeros()


class _MaskMixin(Layer):
    """Mixin that adds weights, their mask and threshold, and biases to a layer."""

    _mask_first = True  # order of the two variables

    def __init__(
        self,
        use_bias: Any = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = _ZEROS,
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activation: Any = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.activation = activation
        self.use_bias = use_bias
        self.kernel_initializer = kernel_initializer
        self.bias_initializer = bias_initializer
        self.kernel_regularizer = kernel_regularizer
        self.bias_regularizer = bias_regularizer

    def _make_weights(self, shape: tuple, outputs: int) -> None:
        def kernel() -> Any:
            return self.add_variable(
                name="kernel",
                shape=shape,
                initializer=self.kernel_initializer,
                regularizer=self.kernel_regularizer,
                trainable=True,
                dtype=self.dtype,
            )

        def still(name: str, shape: Any, initializer: Any) -> Any:
            return self.add_variable(
                name=name, shape=shape, initializer=initializer, trainable=False, dtype=self.dtype
            )

        if not self._mask_first:
            self.kernel = kernel()
        self.mask = still("mask", shape, Ones())
        if self._mask_first:
            self.kernel = kernel()
        self.threshold = still("threshold", [], Zeros())
        self.masked_kernel = ops.multiply(self.mask, self.kernel, MASKED_NAME)
        collect(self.mask, self.masked_kernel, self.threshold, self.kernel)
        self.bias: Any = None
        if self.use_bias:
            self.bias = self.add_variable(
                name="bias",
                shape=(outputs,),
                initializer=self.bias_initializer,
                regularizer=self.bias_regularizer,
                trainable=True,
                dtype=self.dtype,
            )
        self.built = True

    def _activate(self, outputs: Any) -> Any:
        return outputs if self.activation is None else self.activation(outputs)


class MaskedConv2D(_MaskMixin):
    """A convolution layer for images with masked filters; takes the arguments of `tf.layers.Conv2D`."""

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any = (1, 1),
        padding: str = "valid",
        data_format: str = "channels_last",
        dilation_rate: Any = (1, 1),
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.filters = filters
        self.kernel_size = normalize_tuple(kernel_size, 2, "kernel_size")
        self.strides = normalize_tuple(strides, 2, "strides")
        self.padding = normalize_padding(padding)
        self.data_format = normalize_data_format(data_format)
        self.dilation_rate = normalize_tuple(dilation_rate, 2, "dilation_rate")
        self.input_spec = InputSpec(ndim=4)

    def build(self, input_shape: Any) -> None:
        """Creates the weights for the number of channels in `input_shape`."""
        axis = 1 if self.data_format == "channels_first" else -1
        channels = dimension_value(TensorShape(input_shape)[axis])
        if channels is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        self._make_weights((*self.kernel_size, channels, self.filters), self.filters)
        self.input_spec = InputSpec(ndim=4, axes={axis: channels})

    def call(self, inputs: Any) -> Any:
        """Returns activation(convolution + bias)."""
        outputs = ops.convolution(
            input=inputs,
            filter=self.masked_kernel,
            dilation_rate=self.dilation_rate,
            strides=self.strides,
            padding=self.padding.upper(),
            data_format=convert_data_format(self.data_format, 4),
        )
        if self.bias is not None:
            order = "NCHW" if self.data_format == "channels_first" else "NHWC"
            outputs = ops.bias_add(outputs, self.bias, data_format=order)
        return self._activate(outputs)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """Returns the output shape for an input shape."""
        sizes = TensorShape(input_shape).as_list()
        last = self.data_format == "channels_last"
        space: list[Any] = [
            conv_output_length(
                size,
                self.kernel_size[i],
                padding=self.padding,
                stride=self.strides[i],
                dilation=self.dilation_rate[i],
            )
            for i, size in enumerate(sizes[1:-1] if last else sizes[2:])
        ]
        channels: list[Any] = [self.filters]
        return TensorShape([sizes[0], *(space + channels if last else channels + space)])


class MaskedFullyConnected(_MaskMixin):
    """A fully connected layer with masked weights; takes the arguments of `tf.layers.Dense`."""

    _mask_first = False

    def __init__(self, units: int, **kwargs: Any):
        super().__init__(**kwargs)
        self.units = units
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape: Any) -> None:
        """Creates the weights for the number of columns in `input_shape`."""
        depth = dimension_value(TensorShape(input_shape)[-1])
        if depth is None:
            raise ValueError(
                "The last dimension of the inputs to `Dense` should be defined. Found `None`."
            )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: depth})
        self._make_weights((depth, self.units), self.units)

    def call(self, inputs: Any) -> Any:
        """Returns activation(inputs @ weights + bias)."""
        inputs = ops.convert_to_tensor(inputs, dtype=self.dtype)
        shape = inputs.get_shape().as_list()
        if len(shape) > 2:
            outputs = ops.tensordot(inputs, self.masked_kernel, [[len(shape) - 1], [0]])
            outputs.set_shape([*shape[:-1], self.units])
        else:
            outputs = ops.matmul(inputs, self.masked_kernel)
        if self.use_bias:
            outputs = ops.bias_add(outputs, self.bias)
        return self._activate(outputs)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """Returns the output shape for an input shape."""
        shape = TensorShape(input_shape).with_rank_at_least(2)
        if dimension_value(shape[-1]) is None:
            raise ValueError(
                f"The innermost dimension of input_shape must be defined, but saw: {shape}"
            )
        return shape[:-1].concatenate(self.units)
