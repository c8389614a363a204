"""Three-dimensional convolution functions, and transposed convolution in any number of dimensions."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import Any

from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.nn.convolution.conv1d import conv1d_transpose
from tfmini._src.ops.nn.convolution.conv2d import compute_conv_transpose


@public
def conv3d(
    input: TensorLike,
    filter: TensorLike | None = None,
    strides: Any = None,
    padding: Any = None,
    data_format: str = "NDHWC",
    dilations: Sequence[int] = [1, 1, 1, 1, 1],  # TensorFlow's default; never mutated
    name: str | None = None,
    filters: int | None = None,
) -> Tensor:
    """Computes the three-dimensional convolution of volumes.

    Args:
      input: [batch, planes, rows, columns, depth], a float tensor (on a GPU also [batch, depth, planes,
        rows, columns], with "NCDHW").
      filter: [planes, rows, columns, depth, filters], of the same dtype.
      strides: five numbers, the stride of the filter, in the order of `data_format`.
      padding: "VALID" or "SAME".
      data_format: "NDHWC" or "NCDHW".
      dilations: five numbers, the dilation of the filter; must be 1 on a CPU.
      filters: the new name of `filter`.

    Returns:
      [batch, planes, rows, columns, filters], of the same dtype.

    Raises:
      ValueError: if shapes, strides or dilations are invalid.

    Example: `tf.nn.conv3d(tf.ones([1, 3, 3, 3, 1]), tf.ones([2, 2, 2, 1, 1]), [1] * 5, "VALID")` consists of 8s.
    """
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    return raw.Conv3D(
        input,
        filter,
        strides=strides,
        padding=padding,
        data_format=data_format,
        dilations=dilations,
        name=name,
    )


def conv3d_backprop_filter_v2(
    input: TensorLike,
    filter_sizes: TensorLike,
    out_backprop: TensorLike,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    dilations: Sequence[int] = [1, 1, 1, 1, 1],
    name: str | None = None,
) -> Tensor:
    """Returns the gradient of `conv3d` with respect to the filter.

    Args:
      input: [batch, planes, rows, columns, depth], a float tensor.
      filter_sizes: the shape of the filter, an int32 vector.
      out_backprop: [batch, planes, rows, columns, filters], the gradient of the output.
      strides, padding, data_format, dilations: as for `conv3d`.

    Returns:
      A tensor of shape `filter_sizes`.

    Raises:
      ValueError: for statically known mismatches; InvalidArgumentError: for others, at run time.
    """
    return raw.Conv3DBackpropFilterV2(**locals())


@public
def conv3d_transpose(
    value: TensorLike,
    filter: TensorLike | None = None,
    output_shape: TensorLike | None = None,
    strides: int | Sequence[int] | None = None,
    padding: str = "SAME",
    data_format: str | None = "NDHWC",
    name: str | None = None,
    input: TensorLike | None = None,
    filters: int | None = None,
    dilations: Sequence[int] | None = None,
) -> Tensor:
    """Computes the transposed three-dimensional convolution: the input gradient of `tf.nn.conv3d`, for upsampling.

    The arguments are as in `tf.nn.conv2d_transpose`, with an additional axis, planes, before the rows.

    Returns:
      [batch, planes, rows, columns, filters], of the same dtype.

    Raises:
      ValueError: for statically known mismatches; InvalidArgumentError: for others, at run time.
    """
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    value = deprecated_argument_lookup("input", input, "value", value)
    return compute_conv_transpose(
        3, value, filter, output_shape, strides, padding, data_format, dilations, name
    )


@public
def conv_transpose(
    input: TensorLike,
    filters: int,
    output_shape: TensorLike,
    strides: int | Sequence[int],
    padding: str = "SAME",
    data_format: str | None = None,
    dilations: Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Computes a transposed convolution in one to three dimensions: the input gradient of a convolution.

    Args:
      input: [batch, sizes ..., depth], a float tensor.
      filters: [sizes ..., filters, depth], of the same dtype.
      output_shape: the shape of the result, a list or an int32 vector of three to five numbers.
      strides: the upsampling factor: a number, one per spatial axis, or one per axis in the order of `data_format`.
      padding: "VALID" or "SAME".
      data_format: "NWC", "NHWC" or "NDHWC", or on a GPU also with "C" after "N"; None for channels last.
      dilations: the dilation of the filter; must be 1 on a CPU.
      name: the name of the scope, "conv_transpose" by default.

    Returns:
      [batch, sizes ..., filters], of the same dtype.

    Raises:
      ValueError: for statically known mismatches; InvalidArgumentError: for others, at run time.
    """
    with name_scope(name, "conv_transpose", [input, output_shape]) as name:
        if isinstance(output_shape, Tensor):
            count = output_shape.shape[0] - 2
        elif isinstance(output_shape, Sized):
            count = len(output_shape) - 2
        else:
            raise ValueError("output_shape must be a tensor or sized collection.")
        if not 1 <= count <= 3:
            raise ValueError(f"output_shape must be of length 3, 4 or 5 but was {count + 2}.")
        options = (input, filters, output_shape, strides, padding, data_format, dilations, name)
        return (
            conv1d_transpose(*options)
            if count == 1
            else compute_conv_transpose(int(count), *options)
        )
