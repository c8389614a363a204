"""Convolutions of `tf.contrib.layers`: with variables `weights` and `biases`, normalization and activation."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.layers.initializers import xavier_initializer
from tfmini._src.contrib.layers.layer_builder import (
    FORMATS,
    IMAGES,
    VOLUMES,
    apply_layer,
    check_format,
)
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.conv import Conv1D, Conv2D, Conv3D
from tfmini._src.nn.layers.conv_transpose import Conv2DTranspose, Conv3DTranspose
from tfmini._src.ops.nn.activations import relu
from tfmini._src.variables.initializers import Zeros

if TYPE_CHECKING:
    from tfmini._src.variables.get_variable import VariableScope


_XAVIER, _ZEROS = xavier_initializer(), Zeros()
_CLASSES: dict[Any, Any] = {3: Conv1D, 4: Conv2D, 5: Conv3D}


@add_arg_scope
def convolution(
    inputs: TensorLike,
    num_outputs: int,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] = 1,
    padding: str = "SAME",
    data_format: str | None = None,
    rate: TensorLike = 1,
    activation_fn: Callable[..., Any] | None = relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: Mapping[str, Any] | None = None,
    weights_initializer: Callable[..., Any] | None = _XAVIER,
    weights_regularizer: Callable[..., Any] | None = None,
    biases_initializer: Callable[..., Any] | None = _ZEROS,
    biases_regularizer: Callable[..., Any] | None = None,
    reuse: bool | None = None,
    variables_collections: Sequence[str] | Mapping[str, Any] | None = None,
    outputs_collections: Sequence[str] | None = None,
    trainable: bool = True,
    scope: str | VariableScope | None = None,
    conv_dims: int | None = None,
) -> Any:
    """Convolves over all spatial axes: activation(normalizer(convolution + biases)).

    Args:
      inputs: [batch, sizes ..., channels], floats ([batch, channels, sizes ...] with "NC...").
      num_outputs: number of output channels.
      kernel_size, stride, rate: filter sizes, strides and dilation rates: a number, or one per axis.
      padding: "SAME" or "VALID".
      data_format: "NWC", "NHWC", "NDHWC" (the defaults), "NCW", "NCHW" or "NCDHW".
      activation_fn: activation function, or None.
      normalizer_fn: a function that replaces biases, such as `batch_norm`.
      normalizer_params: dict of arguments for `normalizer_fn`.
      weights_initializer, biases_initializer: initializers; None for no biases.
      weights_regularizer, biases_regularizer: functions from a weight to a loss.
      reuse: whether to reuse that scope's variables.
      variables_collections: keys of collections for all variables, or a dict of keys by name.
      outputs_collections: keys of collections to add the outputs to.
      trainable: whether the weights are trainable.
      scope: variable scope name.
      conv_dims: required number of spatial axes.

    Returns:
      A tensor of the same dtype, with `num_outputs` channels.

    Raises:
      ValueError: for an unknown format or another number of axes, or incompatible sizes.

    Example:
      net = slim.conv2d(images, 64, [3, 3], normalizer_fn=slim.batch_norm, scope="conv1")
    """
    arguments = locals()
    del arguments["conv_dims"]
    if data_format not in FORMATS:
        raise ValueError(f"Invalid data_format: {data_format!r}")
    return apply_layer(functools.partial(_class_of_rank, conv_dims), "Conv", **arguments)


def _class_of_rank(conv_dims: int | None, inputs: Tensor) -> Any:
    rank = inputs.shape.ndims
    if conv_dims is not None and conv_dims + 2 != rank:
        raise ValueError(f"Convolution expects input with rank {conv_dims + 2}, got {rank}")
    if rank not in _CLASSES:
        raise ValueError("Convolution not supported for input with rank", rank)
    return _CLASSES[rank]


@add_arg_scope
@arguments_of(convolution, "conv_dims")
def convolution1d(**kwargs: Any) -> Any:
    """Applies `convolution` to sequences [batch, steps, channels]; takes the same arguments.

    Raises:
      ValueError: if the inputs have the wrong rank, or as in `convolution`.
    """
    return convolution(**kwargs, conv_dims=1)


@add_arg_scope
@arguments_of(convolution, "conv_dims")
def convolution2d(**kwargs: Any) -> Any:
    """Applies `convolution` to images [batch, rows, columns, channels]; takes the same arguments.

    Raises:
      ValueError: if the inputs have the wrong rank, or as in `convolution`.
    """
    return convolution(**kwargs, conv_dims=2)


@add_arg_scope
@arguments_of(convolution, "conv_dims")
def convolution3d(**kwargs: Any) -> Any:
    """Applies `convolution` to volumes [batch, depth, rows, columns, channels]; takes the same arguments.

    Raises:
      ValueError: if the inputs have the wrong rank, or as in `convolution`.
    """
    return convolution(**kwargs, conv_dims=3)


@add_arg_scope
@arguments_of(convolution, "rate", "conv_dims", data_format="NHWC")
def convolution2d_transpose(**kwargs: Any) -> Any:
    """Returns activation(normalizer(transposed convolution + biases)) of images, for upsampling.

    Args:
      inputs: [batch, rows, columns, channels], floats.
      num_outputs: number of output channels.
      kernel_size, stride: numbers, or one per axis.
      padding: "SAME" or "VALID".
      data_format: "NHWC", or on a GPU "NCHW".
      Other arguments are as in `convolution`.

    Returns:
      A tensor of the same dtype, with `num_outputs` channels.

    Raises:
      ValueError: for an unknown format, or incompatible arguments.
    """
    class_for = _transposed_layer(Conv2DTranspose, kwargs["data_format"], IMAGES)
    return apply_layer(class_for, "Conv2d_transpose", **kwargs)


def _transposed_layer(layer_class: Any, data_format: str, formats: tuple[str, ...]) -> Any:
    def class_for(inputs: Tensor) -> Any:
        check_format(data_format, formats)
        return layer_class

    return class_for


@add_arg_scope
@arguments_of(convolution2d_transpose, data_format="NDHWC")
def convolution3d_transpose(**kwargs: Any) -> Any:
    """Applies `convolution2d_transpose` to volumes [batch, depth, rows, columns, channels].

    The arguments are the same, with `data_format` "NDHWC", or on a GPU "NCDHW".

    Raises:
      ValueError: for an unknown format, or incompatible arguments.
    """
    class_for = _transposed_layer(Conv3DTranspose, kwargs["data_format"], VOLUMES)
    return apply_layer(class_for, "Conv3d_transpose", **kwargs)
