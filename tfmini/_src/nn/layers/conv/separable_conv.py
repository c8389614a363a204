"""`tf.layers.SeparableConv1D`, `SeparableConv2D` and their functions."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import separable_conv as core
from tfmini._src.nn.layers.signatures import defaults
from tfmini._src.variables.initializers import Zeros

_ZEROS = Zeros()
_scoped = defaults(
    depthwise_initializer=None,
    pointwise_initializer=None,
    bias_initializer=_ZEROS,
    data_format="channels_last",
)


@_scoped
class SeparableConv1D(core.SeparableConv1D, Layer):
    __doc__ = str(core.SeparableConv1D.__doc__)


@_scoped
class SeparableConv2D(core.SeparableConv2D, Layer):
    __doc__ = str(core.SeparableConv2D.__doc__)


@deprecated(None, "Use `tf.keras.layers.SeparableConv1D` instead.")
def separable_conv1d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = 1,
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: Any = 1,
    depth_multiplier: int = 1,
    activation: Any = None,
    use_bias: bool = True,
    depthwise_initializer: Any = None,
    pointwise_initializer: Any = None,
    bias_initializer: Any = _ZEROS,
    depthwise_regularizer: Any = None,
    pointwise_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    depthwise_constraint: Any = None,
    pointwise_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: Any = None,
) -> Any:
    """activation(separable convolution of sequences + bias), with new weights; see `tf.layers.SeparableConv1D`.

    Args:
      inputs: [batch, steps, channels], floats.
      reuse: whether to use the weights of the layer of that name.
      filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation,
        use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer,
        pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint,
        pointwise_constraint, bias_constraint, trainable, name: as for the class.

    Returns:
      A tensor of the same dtype, with `filters` channels.

    Raises:
      ValueError: if arguments do not fit, or the number of channels is not known statically.
    """
    layer = SeparableConv1D(
        filters=filters,
        kernel_size=kernel_size,
        strides=strides,
        padding=padding,
        data_format=data_format,
        dilation_rate=dilation_rate,
        depth_multiplier=depth_multiplier,
        activation=activation,
        use_bias=use_bias,
        depthwise_initializer=depthwise_initializer,
        pointwise_initializer=pointwise_initializer,
        bias_initializer=bias_initializer,
        depthwise_regularizer=depthwise_regularizer,
        pointwise_regularizer=pointwise_regularizer,
        bias_regularizer=bias_regularizer,
        activity_regularizer=activity_regularizer,
        depthwise_constraint=depthwise_constraint,
        pointwise_constraint=pointwise_constraint,
        bias_constraint=bias_constraint,
        trainable=trainable,
        name=name,
        _reuse=reuse,
        _scope=name,
    )
    return layer.apply(inputs)


@deprecated(None, "Use `tf.keras.layers.SeparableConv2D` instead.")
def separable_conv2d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: Any = (1, 1),
    depth_multiplier: int = 1,
    activation: Any = None,
    use_bias: bool = True,
    depthwise_initializer: Any = None,
    pointwise_initializer: Any = None,
    bias_initializer: Any = _ZEROS,
    depthwise_regularizer: Any = None,
    pointwise_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    depthwise_constraint: Any = None,
    pointwise_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: Any = None,
) -> Any:
    """activation(separable convolution of images + bias), with new weights; see `tf.layers.SeparableConv2D`.

    Args:
      inputs: [batch, rows, columns, channels], floats.
      reuse: whether to use the weights of the layer of that name.
      filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation,
        use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer,
        pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint,
        pointwise_constraint, bias_constraint, trainable, name: as for the class.

    Returns:
      A tensor of the same dtype, with `filters` channels.

    Raises:
      ValueError: if arguments do not fit, or the number of channels is not known statically.
    """
    layer = SeparableConv2D(
        filters=filters,
        kernel_size=kernel_size,
        strides=strides,
        padding=padding,
        data_format=data_format,
        dilation_rate=dilation_rate,
        depth_multiplier=depth_multiplier,
        activation=activation,
        use_bias=use_bias,
        depthwise_initializer=depthwise_initializer,
        pointwise_initializer=pointwise_initializer,
        bias_initializer=bias_initializer,
        depthwise_regularizer=depthwise_regularizer,
        pointwise_regularizer=pointwise_regularizer,
        bias_regularizer=bias_regularizer,
        activity_regularizer=activity_regularizer,
        depthwise_constraint=depthwise_constraint,
        pointwise_constraint=pointwise_constraint,
        bias_constraint=bias_constraint,
        trainable=trainable,
        name=name,
        _reuse=reuse,
        _scope=name,
    )
    return layer.apply(inputs)
