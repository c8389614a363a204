"""`tf.layers.SeparableConv1D`, `SeparableConv2D` and the corresponding functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.names.signature import arguments_of, change_defaults
from tfmini._src.graph.tensor import Tensor, TensorLike
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
    inputs: TensorLike,
    filters: int,
    kernel_size: int | Sequence[int],
    strides: int | Sequence[int] = 1,
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: int | Sequence[int] = 1,
    depth_multiplier: int = 1,
    activation: str | Callable[..., Any] | None = None,
    use_bias: bool = True,
    depthwise_initializer: str | Callable[..., Any] | None = None,
    pointwise_initializer: str | Callable[..., Any] | None = None,
    bias_initializer: str | Callable[..., Any] | None = _ZEROS,
    depthwise_regularizer: str | Callable[..., Any] | None = None,
    pointwise_regularizer: str | Callable[..., Any] | None = None,
    bias_regularizer: str | Callable[..., Any] | None = None,
    activity_regularizer: str | Callable[..., Any] | None = None,
    depthwise_constraint: str | Callable[..., Any] | None = None,
    pointwise_constraint: str | Callable[..., Any] | None = None,
    bias_constraint: str | Callable[..., Any] | None = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    return arguments(locals())


@layer_function(SeparableConv2D, "Use `tf.keras.layers.SeparableConv2D` instead.")
@arguments_of(separable_conv1d, strides=(1, 1), dilation_rate=(1, 1))
def separable_conv2d(**kwargs: Any) -> Tensor:
    return arguments(kwargs)
