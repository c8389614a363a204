"""Transposed convolution layers and functions of `tf.layers`."""

from typing import Any

from tfmini._src.base.names.signature import arguments_of, change_defaults, hide_arguments
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.conv import conv1d
from tfmini._src.nn.layers.keras import conv_transpose as core
from tfmini._src.nn.layers.layer_function import arguments, layer_function
from tfmini._src.variables.initializers import Zeros

_ZEROS = Zeros()
_unpadded = hide_arguments("output_padding", "dilation_rate")
_scoped = change_defaults(
    kernel_initializer=None, bias_initializer=_ZEROS, data_format="channels_last"
)


@_unpadded
@_scoped
class Conv2DTranspose(core.Conv2DTranspose, Layer):
    pass


@_unpadded
@_scoped
class Conv3DTranspose(core.Conv3DTranspose, Layer):
    pass


@layer_function(Conv2DTranspose, "Use `tf.keras.layers.Conv2DTranspose` instead.")
@arguments_of(conv1d, "dilation_rate", strides=(1, 1), bias_initializer=_ZEROS)
def conv2d_transpose(**kwargs: Any) -> Tensor:
    return arguments(kwargs)


@layer_function(Conv3DTranspose, "Use `tf.keras.layers.Conv3DTranspose` instead.")
@arguments_of(conv2d_transpose, strides=(1, 1, 1))
def conv3d_transpose(**kwargs: Any) -> Tensor:
    return arguments(kwargs)
