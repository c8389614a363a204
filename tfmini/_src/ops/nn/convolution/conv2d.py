"""Two-dimensional convolution functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.names.deprecation import deprecated_argument_lookup
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.nn.layouts import format_axes


@public
def conv2d(
    input: TensorLike,
    filter: TensorLike | None = None,
    strides: int | Sequence[int] | None = None,
    padding: str | None = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str | None = "NHWC",
    dilations: Sequence[int] = [1, 1, 1, 1],  # TensorFlow's default; never mutated
    name: str | None = None,
    filters: int | None = None,
) -> Tensor:
    """Computes the two-dimensional convolution of images.

    output[b, i, j, k] = sum over di, dj, c of input[b, i * stride + di, j * stride + dj, c] * filter[di, dj, c, k].

    Args:
      input: [batch, rows, columns, depth], a float tensor (on a GPU also [batch, depth, rows, columns], with "NCHW").
      filter: [rows, columns, depth, filters], of the same dtype.
      strides: the stride of the filter: a number, two, or four in the order of `data_format`.
      padding: "VALID" for no padding; "SAME" for zero padding such that the output size is the input
        size divided by the stride; or four (before, after) pairs of zero counts.
      use_cudnn_on_gpu: recorded in the node only.
      data_format: "NHWC" or "NCHW"; None for "NHWC".
      dilations: the dilation of the filter, in the same form as `strides`.
      filters: the new name of `filter`.

    Returns:
      [batch, rows, columns, filters], of the same dtype.

    Raises:
      ValueError: if shapes, strides, paddings or dilations are invalid.

    Example: `tf.nn.conv2d(tf.ones([1, 4, 4, 1]), tf.ones([3, 3, 1, 1]), 1, "VALID")` consists of 9s.
    """
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    padding, pads = _split_padding(padding)
    data_format = data_format or "NHWC"
    return raw.Conv2D(
        input,
        filter,
        strides=format_axes(strides, 2, data_format, "strides"),
        padding=padding,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=pads,
        data_format=data_format,
        dilations=format_axes(dilations, 2, data_format, "dilations"),
        name=name,
    )


def conv2d_backprop_input(
    input_sizes: TensorLike,
    filter: TensorLike | None = None,
    out_backprop: TensorLike | None = None,
    strides: Any = None,
    padding: str | None = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Sequence[int] = [1, 1, 1, 1],
    name: str | None = None,
    filters: int | None = None,
) -> Tensor:
    """Returns the gradient of `conv2d` with respect to the input.

    Args:
      input_sizes: the shape of the input, an int32 vector.
      filter: [rows, columns, depth, filters], a float tensor.
      out_backprop: [batch, rows, columns, filters], the gradient of the output.
      strides: four numbers, in the order of `data_format`.
      padding: "VALID", "SAME" or four pairs of numbers.
      use_cudnn_on_gpu, data_format, filters: as for `conv2d`.
      dilations: four numbers, which must be 1 on a CPU.

    Returns:
      A tensor of shape `input_sizes`.

    Raises:
      ValueError: for statically known mismatches; InvalidArgumentError: for others, at run time.
    """
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    padding, pads = _split_padding(padding)
    return raw.Conv2DBackpropInput(
        input_sizes,
        filter,
        out_backprop,
        strides=strides,
        padding=padding,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=pads,
        data_format=data_format,
        dilations=dilations,
        name=name,
    )


def conv2d_backprop_filter(
    input: TensorLike,
    filter_sizes: TensorLike,
    out_backprop: TensorLike,
    strides: Any,
    padding: str,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Sequence[int] = [1, 1, 1, 1],
    name: str | None = None,
) -> Tensor:
    """Returns the gradient of `tf.nn.conv2d` with respect to the filter.

    The arguments are as in `tf.nn.conv2d_backprop_input`, but `input`, [batch, rows, columns, depth], and the
    shape of the filter, `filter_sizes`, replace `input_sizes` and `filter`.

    Returns:
      A tensor of shape `filter_sizes`.

    Raises:
      ValueError: for statically known mismatches; InvalidArgumentError: for others, at run time.
    """
    padding, pads = _split_padding(padding)
    return raw.Conv2DBackpropFilter(
        input,
        filter_sizes,
        out_backprop,
        strides=strides,
        padding=padding,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=pads,
        data_format=data_format,
        dilations=dilations,
        name=name,
    )


@public
def conv2d_transpose(
    value: TensorLike | None = None,
    filter: TensorLike | None = None,
    output_shape: TensorLike | None = None,
    strides: int | Sequence[int] | None = None,
    padding: str = "SAME",
    data_format: str | None = "NHWC",
    name: str | None = None,
    input: TensorLike | None = None,
    filters: int | None = None,
    dilations: Sequence[int] | None = None,
) -> Tensor:
    """Computes the transposed two-dimensional convolution: the input gradient of `conv2d`, used for upsampling.

    Args:
      value: [batch, rows, columns, depth], a float tensor.
      filter: [rows, columns, filters, depth], of the same dtype.
      output_shape: the shape of the result, an int32 vector or a list.
      strides: the upsampling factor: a number, two, or four in the order of `data_format`.
      padding: "VALID" or "SAME".
      data_format: "NHWC", or on a GPU "NCHW".
      input, filters: aliases of `value` and `filter`.
      dilations: the dilation of the filter; must be 1 on a CPU.

    Returns:
      [batch, rows, columns, filters], of the same dtype.

    Raises:
      ValueError: for statically known mismatches; InvalidArgumentError: for others, at run time.
    """
    value = deprecated_argument_lookup("input", input, "value", value)
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    with name_scope(name, "conv2d_transpose", [value, filter, output_shape]) as name:
        return compute_conv_transpose(
            2, value, filter, output_shape, strides, padding, data_format, dilations, name
        )


def compute_conv_transpose(
    count: int,
    value: Any,
    filter: Any,
    output_shape: Any,
    strides: Any,
    padding: str,
    data_format: str | None,
    dilations: Any,
    name: str | None,
) -> Tensor:
    """Computes a transposed convolution over two or three axes in a name scope."""
    with name_scope(name, f"conv{count}d_transpose", [value, output_shape]) as name:
        data_format = data_format or ("NHWC" if count == 2 else "NDHWC")
        node = raw.Conv2DBackpropInput if count == 2 else raw.Conv3DBackpropInputV2
        return node(
            input_sizes=output_shape,
            filter=filter,
            out_backprop=value,
            strides=format_axes(strides, count, data_format, "strides"),
            padding=padding,
            data_format=data_format,
            dilations=format_axes(dilations, count, data_format, "dilations"),
            name=name,
        )


def _split_padding(padding: Any) -> tuple[Any, list]:
    """Converts the argument `padding` to the attrs `padding` and `explicit_paddings`."""
    if padding == "EXPLICIT":
        raise ValueError(
            '"EXPLICIT" is not a valid value for the padding parameter. To use explicit padding, '
            "the padding parameter must be a list."
        )
    if not isinstance(padding, (list, tuple)):
        return padding, []
    text = (
        "When padding is a list, each element of padding must be a list/tuple of size 2. Element "
        "with index"
    )
    for dim, pair in enumerate(padding):
        if not isinstance(pair, (list, tuple)):
            raise ValueError(f"{text} {dim} of padding is not a list/tuple")
        if len(pair) != 2:
            raise ValueError(f"{text} {dim} of padding has size {len(pair)}")
    if len(padding) != 4:
        raise ValueError(
            f"When padding is a list, it must be of size 4. Got padding of size: {len(padding)}"
        )
    return "EXPLICIT", [size for pair in padding for size in pair]
