"""`tf.layers.SeparableConv1D`, `SeparableConv2D` and their functions."""

from typing import Any

from tfmini._src.base.names.signature import arguments_of, change_defaults
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import separable_conv as core
from tfmini._src.nn.layers.layer_function import arguments, layer_function
from tfmini._src.variables.initializers import Zeros

_ZEROS = Zeros()
_scoped = change_defaults(
    depthwise_initializer=None,
    pointwise_initializer=None,
    bias_initializer=_ZEROS,
    data_format="channels_last",
)


@_scoped
class SeparableConv1D(core.SeparableConv1D, Layer):
    pass


@_scoped
class SeparableConv2D(core.SeparableConv2D, Layer):
    pass


@layer_function(SeparableConv1D, "Use `tf.keras.layers.SeparableConv1D` instead.")
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
) -> Tensor:
    return arguments(locals())


@layer_function(SeparableConv2D, "Use `tf.keras.layers.SeparableConv2D` instead.")
@arguments_of(separable_conv1d, strides=(1, 1), dilation_rate=(1, 1))
def separable_conv2d(**given: Any) -> Tensor:
    return arguments(given)
