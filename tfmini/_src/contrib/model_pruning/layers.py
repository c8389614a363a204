"""Functions that create masked layers, as in `tf.contrib.layers`."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.layers.convolution import convolution
from tfmini._src.contrib.layers.fully_connected import fully_connected
from tfmini._src.contrib.layers.layer_builder import FORMATS, apply_layer
from tfmini._src.contrib.model_pruning.masked_layers import MaskedConv2D, MaskedFullyConnected
from tfmini._src.graph.tensor import Tensor

_ALIAS = "original_name_scope"


@add_arg_scope
@arguments_of(convolution, "conv_dims")
def masked_convolution(data_format: str | None, **kwargs: Any) -> Any:
    """Applies `tf.contrib.layers.conv2d` with weights masked by `Pruning`; takes the same arguments.

    Returns:
      [batch, rows, columns, num_outputs] for images [batch, rows, columns, channels] (or "NCHW").

    Raises:
      ValueError: for any other format, or inputs that are not images.

    Example:
      net = tf.contrib.model_pruning.masked_conv2d(images, 64, [3, 3], scope="conv1")
    """
    if data_format not in FORMATS:
        raise ValueError(f"Invalid data_format: {data_format!r}")

    def class_for(inputs: Tensor) -> type[MaskedConv2D]:
        rank = inputs.get_shape().ndims
        if rank != 4:
            raise ValueError("Sparse Convolution not supported for input with rank", rank)
        if data_format not in (None, "NHWC", "NCHW"):
            raise ValueError("Unsupported data format", data_format)
        return MaskedConv2D

    return apply_layer(class_for, "Conv", _ALIAS, data_format=data_format, **kwargs)


masked_conv2d = masked_convolution


@add_arg_scope
@arguments_of(fully_connected)
def masked_fully_connected(num_outputs: int, **kwargs: Any) -> Any:
    """Applies `tf.contrib.layers.fully_connected` with weights masked by `Pruning`; takes the same arguments.

    Returns:
      [..., num_outputs] for inputs [..., depth].

    Raises:
      ValueError: if `num_outputs` is not an integer, or the depth is unknown.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs should be int or long, got {num_outputs}.")
    return apply_layer(
        lambda _: MaskedFullyConnected, "fully_connected", _ALIAS, num_outputs=num_outputs, **kwargs
    )
