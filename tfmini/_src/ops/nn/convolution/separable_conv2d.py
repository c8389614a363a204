"""Depthwise convolution, optionally dilated, and separable convolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.convolution.conv2d import conv2d
from tfmini._src.ops.nn.convolution.depthwise_conv2d_native import depthwise_conv2d_native
from tfmini._src.ops.nn.convolution.dilated_convolution import with_space_to_batch


@public
def depthwise_conv2d(
    input: TensorLike,
    filter: TensorLike,
    strides: int | Sequence[int],
    padding: str,
    rate: TensorLike | None = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Sequence[int] | None = None,
) -> Tensor:
    """Convolves each channel with separate filters.

    Args:
      input: [batch, rows, columns, depth], a float tensor (on a GPU also [batch, depth, rows, columns], with "NCHW").
      filter: [rows, columns, depth, multiples], of the same dtype; each channel yields `multiples` output channels.
      strides: four numbers in the order of `data_format`; must be 1 if `rate` is not.
      padding: "VALID" or "SAME".
      rate: two numbers, the dilation of the filter.
      name: the name of the scope, "depthwise" by default.
      data_format: "NHWC" or "NCHW"; None for "NHWC".
      dilations: the new name of `rate`.

    Returns:
      [batch, rows, columns, depth * multiples], of the same dtype.

    Raises:
      ValueError: if shapes or strides are invalid.

    Example:
      y = tf.nn.depthwise_conv2d(images, filters, [1, 1, 1, 1], "SAME", rate=[2, 2])
    """
    rate = deprecated_argument_lookup("dilations", dilations, "rate", rate)
    with name_scope(name, "depthwise", [input, filter]) as name:
        input = ops.convert_to_tensor(input, name="tensor_in")
        filter = ops.convert_to_tensor(filter, name="filter_in")
        return _convolve_channels(input, filter, strides, padding, rate, name, data_format)


def _convolve_channels(
    x: Tensor,
    filter: Tensor,
    strides: Any,
    padding: str,
    rate: Any,
    name: str,
    data_format: str | None,
) -> Tensor:
    def inner(blocks: Tensor, _: int, padding: str) -> Tensor:
        return depthwise_conv2d_native(
            blocks, filter, strides, padding, data_format=data_format or "NHWC", name=name
        )

    return with_space_to_batch(
        input=x,
        filter_shape=ops.shape(filter),
        dilation_rate=[1, 1] if rate is None else rate,
        padding=padding,
        data_format=data_format,
        op=inner,
    )


@public
def separable_conv2d(
    input: TensorLike,
    depthwise_filter: TensorLike,
    pointwise_filter: TensorLike,
    strides: int | Sequence[int],
    padding: str,
    rate: TensorLike | None = None,
    name: str | None = None,
    data_format: str | None = None,
    dilations: Sequence[int] | None = None,
) -> Tensor:
    """Applies a depthwise convolution, then a pointwise convolution across channels.

    Args:
      input: [batch, rows, columns, depth], a float tensor (on a GPU also [batch, depth, rows, columns], with "NCHW").
      depthwise_filter: [rows, columns, depth, multiples], of the same dtype.
      pointwise_filter: [1, 1, depth * multiples, filters], of the same dtype.
      strides: four numbers in the order of `data_format`; must be 1 if `rate` is not.
      padding: "VALID" or "SAME".
      rate: two numbers, the dilation of the depthwise filter.
      name: the name of the scope, "separable_conv2d" by default.
      data_format: "NHWC" or "NCHW"; None for "NHWC".
      dilations: the new name of `rate`.

    Returns:
      [batch, rows, columns, filters], of the same dtype.

    Raises:
      ValueError: if shapes or strides are invalid.
    """
    rate = deprecated_argument_lookup("dilations", dilations, "rate", rate)
    filters = [input, depthwise_filter, pointwise_filter]
    with name_scope(name, "separable_conv2d", filters) as name:
        input = ops.convert_to_tensor(input, name="tensor_in")
        depthwise_filter = ops.convert_to_tensor(depthwise_filter, name="depthwise_filter")
        pointwise_filter = ops.convert_to_tensor(pointwise_filter, name="pointwise_filter")
        sizes = pointwise_filter.shape.with_rank(4).dims
        sizes[0].assert_is_compatible_with(1)
        sizes[1].assert_is_compatible_with(1)
        depthwise_output = _convolve_channels(
            input, depthwise_filter, strides, padding, rate, "depthwise", data_format
        )
        return conv2d(
            depthwise_output,
            pointwise_filter,
            [1, 1, 1, 1],
            padding="VALID",
            data_format=data_format,
            name=name,
        )
