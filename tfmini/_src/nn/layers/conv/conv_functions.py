"""The functions of `tf.layers` that convolve: a new layer, called once."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.nn.layers.conv.conv_layers import Conv1D, Conv2D, Conv3D
from tfmini._src.nn.layers.conv.conv_transpose import Conv2DTranspose, Conv3DTranspose
from tfmini._src.variables.initializers import Zeros

_ZEROS = Zeros()


@deprecated(None, "Use `tf.keras.layers.Conv1D` instead.")
def conv1d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = 1,
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: Any = 1,
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = _ZEROS,
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    kernel_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: Any = None,
) -> Any:
    """activation(convolution of sequences + bias), with new weights; see `tf.layers.Conv1D`.

    Args:
      inputs: [batch, steps, channels], floats.
      reuse: whether to use the weights of the layer of that name.
      filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
        kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
        kernel_constraint, bias_constraint, trainable, name: as for the class.

    Returns:
      A tensor of the same dtype, with `filters` channels.

    Raises:
      ValueError: if arguments do not fit, or the number of channels is not known statically.
    """
    layer = Conv1D(
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
        trainable=trainable,
        name=name,
        _reuse=reuse,
        _scope=name,
    )
    return layer.apply(inputs)


@deprecated(None, "Use `tf.keras.layers.Conv2D` instead.")
def conv2d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: Any = (1, 1),
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = _ZEROS,
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    kernel_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: Any = None,
) -> Any:
    """activation(convolution of images + bias), with new weights; see `tf.layers.Conv2D`.

    Args:
      inputs: [batch, rows, columns, channels], floats.
      reuse: whether to use the weights of the layer of that name.
      filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
        kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
        kernel_constraint, bias_constraint, trainable, name: as for the class.

    Returns:
      A tensor of the same dtype, with `filters` channels.

    Raises:
      ValueError: if arguments do not fit, or the number of channels is not known statically.
    """
    layer = Conv2D(
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
        trainable=trainable,
        name=name,
        _reuse=reuse,
        _scope=name,
    )
    return layer.apply(inputs)


@deprecated(None, "Use `tf.keras.layers.Conv3D` instead.")
def conv3d(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: Any = (1, 1, 1),
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = _ZEROS,
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    kernel_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: Any = None,
) -> Any:
    """activation(convolution of volumes + bias), with new weights; see `tf.layers.Conv3D`.

    Args:
      inputs: [batch, depth, rows, columns, channels], floats.
      reuse: whether to use the weights of the layer of that name.
      filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
        kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
        kernel_constraint, bias_constraint, trainable, name: as for the class.

    Returns:
      A tensor of the same dtype, with `filters` channels.

    Raises:
      ValueError: if arguments do not fit, or the number of channels is not known statically.
    """
    layer = Conv3D(
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
        trainable=trainable,
        name=name,
        _reuse=reuse,
        _scope=name,
    )
    return layer.apply(inputs)


@deprecated(None, "Use `tf.keras.layers.Conv2DTranspose` instead.")
def conv2d_transpose(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = _ZEROS,
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    kernel_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: Any = None,
) -> Any:
    """activation(transposed convolution of images + bias), with new weights; see `tf.layers.Conv2DTranspose`.

    Args:
      inputs: [batch, rows, columns, channels], floats.
      reuse: whether to use the weights of the layer of that name.
      filters, kernel_size, strides, padding, data_format, activation, use_bias, kernel_initializer,
        bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint,
        bias_constraint, trainable, name: as for the class.

    Returns:
      A tensor of the same dtype, with `filters` channels.

    Raises:
      ValueError: if arguments do not fit, or the number of channels is not known statically.
    """
    layer = Conv2DTranspose(
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
        trainable=trainable,
        name=name,
        _reuse=reuse,
        _scope=name,
    )
    return layer.apply(inputs)


@deprecated(None, "Use `tf.keras.layers.Conv3DTranspose` instead.")
def conv3d_transpose(
    inputs: Any,
    filters: int,
    kernel_size: Any,
    strides: Any = (1, 1, 1),
    padding: str = "valid",
    data_format: str = "channels_last",
    activation: Any = None,
    use_bias: bool = True,
    kernel_initializer: Any = None,
    bias_initializer: Any = _ZEROS,
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    activity_regularizer: Any = None,
    kernel_constraint: Any = None,
    bias_constraint: Any = None,
    trainable: bool = True,
    name: Any = None,
    reuse: Any = None,
) -> Any:
    """activation(transposed convolution of volumes + bias), with new weights; see `tf.layers.Conv3DTranspose`.

    Args:
      inputs: [batch, depth, rows, columns, channels], floats.
      reuse: whether to use the weights of the layer of that name.
      filters, kernel_size, strides, padding, data_format, activation, use_bias, kernel_initializer,
        bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint,
        bias_constraint, trainable, name: as for the class.

    Returns:
      A tensor of the same dtype, with `filters` channels.

    Raises:
      ValueError: if arguments do not fit, or the number of channels is not known statically.
    """
    layer = Conv3DTranspose(
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
        trainable=trainable,
        name=name,
        _reuse=reuse,
        _scope=name,
    )
    return layer.apply(inputs)
