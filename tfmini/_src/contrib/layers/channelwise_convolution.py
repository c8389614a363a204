"""Convolutions of `tf.contrib.layers` that treat each channel separately."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.layers.initializers import xavier_initializer
from tfmini._src.contrib.layers.layer_builder import (
    add_variable,
    channel_order,
    check_format,
    finish_outputs,
    layer_variable,
    variable_getter,
)
from tfmini._src.contrib.layers.layer_sizes import (
    channel_dimension,
    last_dimension,
    two_element_tuple,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.separable_conv import SeparableConv2D
from tfmini._src.ops import ops
from tfmini._src.ops.nn.activations import relu
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_scope import variable_scope

_XAVIER, _ZEROS = xavier_initializer(), Zeros()


@add_arg_scope
def convolution2d_in_plane(
    inputs: Tensor | Variable,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] = 1,
    padding: str = "SAME",
    activation_fn: Callable[..., Any] | None = relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: str | Callable[..., Any] | None = _XAVIER,
    weights_regularizer: str | Callable[..., Any] | None = None,
    biases_initializer: str | Callable[..., Any] | None = _ZEROS,
    biases_regularizer: str | Callable[..., Any] | None = None,
    reuse: bool | None = None,
    variables_collections: str | Sequence[str] | None = None,
    outputs_collections: str | Sequence[str] | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
) -> Any:
    """Applies the same filter to each channel of images: activation(normalizer(convolution + biases)).

    Args:
      inputs: [batch, rows, columns, channels], floats.
      kernel_size, stride: a number, or one for rows and one for columns.
      padding: "SAME" or "VALID".
      Other arguments are as in `tf.contrib.layers.convolution`.

    Returns:
      A tensor with the same dtype and number of channels.

    Raises:
      ValueError: if the number of channels is unknown, or for incompatible arguments.
    """
    with variable_scope(scope, "ConvInPlane", [inputs], reuse=reuse) as sc:
        dtype = inputs.dtype.base_dtype
        rows, columns = two_element_tuple(kernel_size)
        row_stride, column_stride = two_element_tuple(stride)
        channels = last_dimension(inputs.shape, min_rank=4)
        weights = layer_variable(
            *("weights", [rows, columns, 1, 1], dtype, weights_initializer),
            *(variables_collections, trainable),
            regularizer=weights_regularizer,
        )
        tiled_weights = ops.tile(weights, [1, 1, channels, 1])
        outputs = ops.depthwise_conv2d(
            inputs, tiled_weights, [1, row_stride, column_stride, 1], padding
        )
        if normalizer_fn is None and biases_initializer is not None:
            biases = layer_variable(
                *("biases", [channels], dtype, biases_initializer),
                *(variables_collections, trainable),
                regularizer=biases_regularizer,
            )
            outputs = ops.bias_add(outputs, biases)
        return finish_outputs(
            *(outputs, sc.name, activation_fn, outputs_collections),
            *(normalizer_fn, normalizer_params),
        )


@add_arg_scope
def separable_convolution2d(
    inputs: TensorLike,
    num_outputs: int | None,
    kernel_size: int | Sequence[int],
    depth_multiplier: int = 1,
    stride: int | Sequence[int] = 1,
    padding: str = "SAME",
    data_format: str = "NHWC",
    rate: TensorLike = 1,
    activation_fn: Callable[..., Any] | None = relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: dict[str, Any] | None = None,
    weights_initializer: str | Callable[..., Any] | None = _XAVIER,
    pointwise_initializer: str | Callable[..., Any] | None = None,
    weights_regularizer: str | Callable[..., Any] | None = None,
    biases_initializer: str | Callable[..., Any] | None = _ZEROS,
    biases_regularizer: str | Callable[..., Any] | None = None,
    reuse: bool | None = None,
    variables_collections: str | Sequence[str] | None = None,
    outputs_collections: Sequence[str] | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
) -> Any:
    """Applies a depthwise, then a pointwise convolution: activation(normalizer(outputs + biases)).

    Args:
      inputs: [batch, rows, columns, channels], floats.
      num_outputs: number of output channels; None to omit the pointwise convolution.
      kernel_size, stride, rate: a number, or one for rows and one for columns.
      depth_multiplier: number of filters per channel.
      padding: "SAME" or "VALID".
      data_format: "NHWC", or on a GPU "NCHW".
      pointwise_initializer: initializer of the pointwise weights; by default `weights_initializer`.
      Other arguments are as in `tf.contrib.layers.convolution`.

    Returns:
      A tensor of the same dtype.

    Raises:
      ValueError: for an unknown format, or incompatible arguments.
    """
    check_format(data_format)
    getter = variable_getter(
        {
            "bias": "biases",
            "depthwise_kernel": "depthwise_weights",
            "pointwise_kernel": "pointwise_weights",
        }
    )
    with variable_scope(
        scope, "SeparableConv2d", [inputs], reuse=reuse, custom_getter=getter
    ) as sc:
        inputs = ops.convert_to_tensor(inputs)
        if pointwise_initializer is None:
            pointwise_initializer = weights_initializer
        if num_outputs is None:
            outputs = _depthwise_convolution(
                *(inputs, kernel_size, depth_multiplier, stride, padding, data_format, rate),
                *(weights_initializer, weights_regularizer, biases_regularizer),
                None if normalizer_fn else biases_initializer,
                *(variables_collections, trainable),
            )
        else:
            layer = SeparableConv2D(
                filters=num_outputs,
                kernel_size=kernel_size,
                strides=stride,
                padding=padding,
                data_format=channel_order(data_format),
                dilation_rate=two_element_tuple(rate),
                depth_multiplier=depth_multiplier,
                use_bias=not normalizer_fn and biases_initializer,
                depthwise_initializer=weights_initializer,
                pointwise_initializer=pointwise_initializer,
                bias_initializer=biases_initializer,
                depthwise_regularizer=weights_regularizer,
                pointwise_regularizer=weights_regularizer,
                bias_regularizer=biases_regularizer,
                trainable=trainable,
                name=sc.name,
                dtype=inputs.dtype.base_dtype,
                _scope=sc,
                _reuse=reuse,
            )
            outputs = layer.apply(inputs)
            add_variable(layer.depthwise_kernel, variables_collections, "weights")
            add_variable(layer.pointwise_kernel, variables_collections, "weights")
            if layer.bias is not None:
                add_variable(layer.bias, variables_collections, "biases")
        return finish_outputs(
            *(outputs, sc.name, activation_fn, outputs_collections),
            *(normalizer_fn, normalizer_params),
        )


def _depthwise_convolution(
    inputs: Any,
    kernel_size: Any,
    depth_multiplier: int,
    stride: Any,
    padding: str,
    data_format: str,
    rate: Any,
    weights_initializer: Any,
    weights_regularizer: Any,
    biases_regularizer: Any,
    biases_initializer: Any,
    collections: Any,
    trainable: bool,
) -> Any:
    """Applies a depthwise convolution, with biases if they have an initializer."""
    dtype = inputs.dtype.base_dtype
    rows, columns = two_element_tuple(kernel_size)
    row_stride, column_stride = two_element_tuple(stride)
    channels = channel_dimension(inputs.shape, channel_order(data_format), min_rank=4)
    shape = [rows, columns, channels, depth_multiplier]
    weights = layer_variable(
        *("depthwise_weights", shape, dtype, weights_initializer),
        *(collections, trainable),
        regularizer=weights_regularizer,
        key="weights",
    )
    strides = (
        [1, 1, row_stride, column_stride]
        if data_format.startswith("NC")
        else [1, row_stride, column_stride, 1]
    )
    outputs = ops.depthwise_conv2d(
        inputs, weights, strides, padding, rate=two_element_tuple(rate), data_format=data_format
    )
    if biases_initializer is None:
        return outputs
    biases = layer_variable(
        *("biases", [depth_multiplier * channels], dtype, biases_initializer),
        *(collections, trainable),
        regularizer=biases_regularizer,
    )
    return ops.bias_add(outputs, biases, data_format=data_format)
