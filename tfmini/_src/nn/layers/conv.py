"""Convolution layers and functions of `tf.layers`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.signature import arguments_of, change_defaults
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import conv as core
from tfmini._src.nn.layers.layer_function import arguments, layer_function
from tfmini._src.variables.initializers import Zeros

if TYPE_CHECKING:
    from tfmini._src.nn.layers.deserialize import Identifier


_ZEROS = Zeros()
_scoped = change_defaults(
    kernel_initializer=None, bias_initializer=_ZEROS, data_format="channels_last"
)


@_scoped
class Conv1D(core.Conv1D, Layer):
    pass


@_scoped
class Conv2D(core.Conv2D, Layer):
    pass


@_scoped
class Conv3D(core.Conv3D, Layer):
    pass


@layer_function(Conv1D, "Use `tf.keras.layers.Conv1D` instead.")
def conv1d(
    inputs: TensorLike,
    filters: int,
    kernel_size: int | Sequence[int],
    strides: int | Sequence[int] = 1,
    padding: str = "valid",
    data_format: str = "channels_last",
    dilation_rate: int | Sequence[int] = 1,
    activation: Identifier | None = None,
    use_bias: bool = True,
    kernel_initializer: Identifier | None = None,
    bias_initializer: Identifier | None = _ZEROS,
    kernel_regularizer: Identifier | None = None,
    bias_regularizer: Identifier | None = None,
    activity_regularizer: Identifier | None = None,
    kernel_constraint: Identifier | None = None,
    bias_constraint: Identifier | None = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    return arguments(locals())


@layer_function(Conv2D, "Use `tf.keras.layers.Conv2D` instead.")
@arguments_of(conv1d, strides=(1, 1), dilation_rate=(1, 1))
def conv2d(**kwargs: Any) -> Tensor:
    return arguments(kwargs)


@layer_function(Conv3D, "Use `tf.keras.layers.Conv3D` instead.")
@arguments_of(conv1d, strides=(1, 1, 1), dilation_rate=(1, 1, 1))
def conv3d(**kwargs: Any) -> Tensor:
    return arguments(kwargs)
