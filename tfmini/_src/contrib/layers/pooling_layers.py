"""Pooling layers of `tf.contrib.layers`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.layers.layer_builder import (
    IMAGES,
    VOLUMES,
    channel_order,
    check_format,
)
from tfmini._src.contrib.layers.layer_sizes import n_positive_integers
from tfmini._src.contrib.layers.named_outputs import collect_named_outputs
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.pooling import (
    AveragePooling2D,
    AveragePooling3D,
    MaxPooling2D,
    MaxPooling3D,
)
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable import Variable


def _pool_layer(pool: Any, default: str, formats: Any, inputs: Any, *options: Any) -> Any:
    kernel_size, stride, padding, data_format, outputs_collections, scope = options
    check_format(data_format, formats)
    with name_scope(scope, default, [inputs]) as sc:
        inputs = ops.convert_to_tensor(inputs)
        layer = pool(kernel_size, stride, padding, channel_order(data_format), _scope=sc)
        return collect_named_outputs(outputs_collections, sc, layer.apply(inputs))


@add_arg_scope
def avg_pool2d(
    inputs: TensorLike,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] = 2,
    padding: str = "VALID",
    data_format: str = "NHWC",
    outputs_collections: Sequence[str] | None = None,
    scope: str | VariableScope | None = None,
) -> Any:
    """Returns the mean of each image window.

    Args:
      inputs: [batch, rows, columns, channels], floats.
      kernel_size, stride: a number, or one for rows and one for columns.
      padding: "VALID" or "SAME".
      data_format: "NHWC", or on a GPU "NCHW".
      outputs_collections: keys of collections to add the outputs to.
      scope: scope name.

    Raises:
      ValueError: for any other format, or incompatible sizes.
    """
    options = (kernel_size, stride, padding, data_format, outputs_collections, scope)
    return _pool_layer(AveragePooling2D, "AvgPool2D", IMAGES, inputs, *options)


@add_arg_scope
@arguments_of(avg_pool2d)
def max_pool2d(*args: Any) -> Any:
    """Returns the maximum of each image window; takes the arguments of `avg_pool2d`."""
    return _pool_layer(MaxPooling2D, "MaxPool2D", IMAGES, *args)


@add_arg_scope
@arguments_of(avg_pool2d, data_format="NDHWC")
def avg_pool3d(*args: Any) -> Any:
    """Returns the mean of each window of volumes [batch, depth, rows, columns, channels]."""
    return _pool_layer(AveragePooling3D, "AvgPool3D", VOLUMES, *args)


@add_arg_scope
@arguments_of(avg_pool3d)
def max_pool3d(*args: Any) -> Any:
    """Returns the maximum of each window of volumes [batch, depth, rows, columns, channels]."""
    return _pool_layer(MaxPooling3D, "MaxPool3D", VOLUMES, *args)


@add_arg_scope
def pool(
    inputs: Tensor | Variable,
    kernel_size: int | Sequence[int],
    pooling_type: str,
    padding: str = "VALID",
    data_format: str | None = None,
    dilation_rate: int | Sequence[int] = 1,
    stride: int | Sequence[int] = 1,
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """Pools over all spatial axes.

    Args:
      inputs: [batch, sizes ..., channels], floats.
      kernel_size, dilation_rate, stride: numbers, or one per axis.
      pooling_type: "MAX" or "AVG".
      padding, outputs_collections, scope: as in `avg_pool2d`.
      data_format: "N...C" or "NC...".

    Raises:
      ValueError: for an unknown rank, a rank below 3, or incompatible arguments.
    """
    with name_scope(scope, f"{pooling_type.lower()}_pool", [inputs]) as sc:
        inputs = ops.convert_to_tensor(inputs)
        rank = inputs.shape.ndims
        if rank is None:
            raise ValueError("Rank of inputs must be known")
        if rank < 3:
            raise ValueError("Rank of inputs must be >= 3")
        sizes = (kernel_size, dilation_rate, stride)
        window, rates, strides = (n_positive_integers(rank - 2, size) for size in sizes)
        outputs = ops.pool(
            input=inputs,
            window_shape=window,
            pooling_type=pooling_type,
            padding=padding,
            data_format=data_format,
            dilation_rate=rates,
            strides=strides,
            name=sc,
        )
        return collect_named_outputs(outputs_collections, sc, outputs)
