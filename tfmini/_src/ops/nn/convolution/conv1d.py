"""One-dimensional convolution, computed as two-dimensional convolution of single-row images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.names.deprecation import deprecated_arg_values, deprecated_argument_lookup
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.layouts import format_axes


@public
@deprecated_arg_values(
    None, "`NCHW` for data_format is deprecated, use `NCW` instead", data_format="NCHW"
)
@deprecated_arg_values(
    None, "`NHWC` for data_format is deprecated, use `NWC` instead", data_format="NHWC"
)
def conv1d(
    value: TensorLike | None = None,
    filters: TensorLike | None = None,
    stride: int | Sequence[int] | None = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool | None = None,
    data_format: str | None = None,
    name: str | None = None,
    input: TensorLike | None = None,
    dilations: int | Sequence[int] | None = None,
) -> Tensor:
    """Computes the one-dimensional convolution of sequences.

    Args:
      value: [batch, width, depth], a float tensor (on a GPU also [batch, depth, width], with "NCW").
      filters: [width, depth, filters], of the same dtype.
      stride: the stride of the filter: a number, or three in the order of `data_format`.
      padding: "VALID" or "SAME".
      use_cudnn_on_gpu: recorded in the node only.
      data_format: "NWC" or "NCW"; None for "NWC".
      name: the name of the scope, "conv1d" by default.
      input: the new name of `value`.
      dilations: the dilation of the filter, in the same form as `stride`.

    Returns:
      [batch, width, filters], of the same dtype.

    Raises:
      ValueError: if shapes, strides, padding or format are invalid.

    Example: `tf.nn.conv1d(tf.ones([1, 5, 1]), tf.ones([3, 1, 1]), 1, "VALID")` consists of three 3s.
    """
    value = deprecated_argument_lookup("input", input, "value", value)
    with name_scope(name, "conv1d", [value, filters]) as name:
        if data_format in (None, "NHWC", "NWC"):
            data_format, axis = "NHWC", 1
        elif data_format in ("NCHW", "NCW"):
            data_format, axis = "NCHW", 2
        else:
            raise ValueError('data_format must be "NWC" or "NCW".')
        strides = [1, *format_axes(stride, 1, data_format, "stride")]
        dilations = [1, *format_axes(dilations, 1, data_format, "dilations")]
        result = raw.Conv2D(
            ops.expand_dims(value, axis),
            ops.expand_dims(filters, 0),
            strides=strides,
            padding=padding,
            use_cudnn_on_gpu=True if use_cudnn_on_gpu is None else use_cudnn_on_gpu,
            data_format=data_format,
            dilations=dilations,
            name=name,
        )
        return ops.squeeze(result, [axis])


@public
def conv1d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: Any,
    strides: int | Sequence[int],
    padding: str = "SAME",
    data_format: str | None = "NWC",
    dilations: Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Computes the transposed one-dimensional convolution: the input gradient of `conv1d`, used for upsampling.

    Args:
      input: [batch, width, depth], a float tensor (on a GPU also [batch, depth, width], with "NCW").
      filters: [width, filters, depth], of the same dtype.
      output_shape: the shape of the result, an int32 vector or a list.
      strides: the upsampling factor: a number, or three in the order of `data_format`.
      padding: "VALID" or "SAME".
      data_format: "NWC" or "NCW"; None for "NWC".
      dilations: the dilation of the filter; must be 1 on a CPU.
      name: the name of the scope, "conv1d_transpose" by default.

    Returns:
      [batch, width, filters], of the same dtype.

    Raises:
      ValueError: for statically known mismatches; InvalidArgumentError: for others, at run time.
    """
    with name_scope(name, "conv1d_transpose", [input, filters, output_shape]) as name:
        if data_format in (None, "NWC"):
            data_format, axis = "NHWC", 1
        elif data_format == "NCW":
            data_format, axis = "NCHW", 2
        else:
            raise ValueError('data_format must be "NWC" or "NCW".')
        strides = [1, *format_axes(strides, 1, data_format, "stride")]
        dilations = [1, *format_axes(dilations, 1, data_format, "dilations")]
        value = ops.expand_dims(input, axis)
        filters = ops.expand_dims(filters, 0)
        shape = output_shape if isinstance(output_shape, Tensor) else list(output_shape)
        shape = ops.concat([shape[:axis], [1], shape[axis:]], 0)
        result = raw.Conv2DBackpropInput(
            input_sizes=shape,
            filter=filters,
            out_backprop=value,
            strides=strides,
            padding=padding,
            data_format=data_format,
            dilations=dilations,
            name=name,
        )
        return ops.squeeze(result, axis)
