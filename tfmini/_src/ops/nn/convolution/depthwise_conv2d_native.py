"""Depthwise convolution ops: DepthwiseConv2dNative and its gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.devices.cuda.cudnn import conv_forward_backward as cudnn
from tfmini._src.devices.numpy.windows import depthwise_conv as kernels
from tfmini._src.devices.numpy.windows.axes import Axis
from tfmini._src.graph.opdef import Attr, op_with_traits, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, merge_dim, with_rank
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.convolution.conv_windows import (
    ConvWindows,
    shape_argument,
    shape_from_input,
    static_count,
    window_axes,
)
from tfmini._src.ops.nn.layouts import channels_last, channels_restored, narrow, widen
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.type_lists import HALF_TO_DOUBLE

op = op_with_traits(long_running=True)
_ATTRS: dict[str, Any] = {
    "T": HALF_TO_DOUBLE,
    "strides": Attr("list(int)"),
    "padding": Attr("string", allowed=("SAME", "VALID")),
    "data_format": Attr("string", "NHWC", allowed=("NHWC", "NCHW")),
    "dilations": Attr("list(int)", default=[1, 1, 1, 1]),  # recorded only: kernels ignore them
}
_WINDOWS = ("strides", "padding", "data_format", "dilations")


def _gradient_attrs(op: Any) -> dict[str, Any]:
    return {name: op.attrs[name] for name in _WINDOWS}


def _depthwise_windows(strides: Sequence[int], padding: str, data_format: str) -> ConvWindows:
    """Returns the attrs of a node after the checks that TensorFlow performs when it constructs the kernel."""
    if len(strides) != 4:
        invalid("Sliding window strides field must specify 4 dimensions")
    first = data_format == "NCHW"
    rows, columns = strides[2:] if first else strides[1:3]
    if rows != columns:
        invalid(
            "Current implementation only supports equal length strides in the row and column "
            "dimensions."
        )
    if strides[0] != 1 or strides[1 if first else 3] != 1:
        invalid(
            "Current implementation does not yet support strides in the batch and depth dimensions."
        )
    return ConvWindows((rows, columns), (1, 1), padding, ((0, 0), (0, 0)), first)


def _check_attrs(attrs: dict[str, Any], on_gpu: bool) -> None:
    _depthwise_windows(attrs["strides"], attrs["padding"], attrs["data_format"])


def _grouped_filter_shape(filter: Sequence[int]) -> tuple[int, ...]:
    """Returns the filter shape of the equivalent convolution with one group per channel."""
    rows, columns, depth, multiples = filter
    return rows, columns, 1, depth * multiples


def _require_channels_last(data_format: str, size: int) -> None:
    if data_format != "NHWC" and size:
        text = "Depthwise convolution on CPU is only supported for NHWC format"
        raise UnimplementedError(None, None, text)


# DepthwiseConv2dNative -------------------------------------------------------------------------------


@op(
    "DepthwiseConv2dNative",
    "input: T, filter: T -> output: T",
    check_attrs=_check_attrs,
    **_ATTRS,
)
def depthwise_op(xp, x, filter, *, strides, padding, data_format):
    _require_channels_last(data_format, x.size and filter.size)
    windows = _depthwise_windows(strides, padding, data_format)
    return _forward(xp, x, filter, windows, _forward_axes(x, filter, windows))


@depthwise_op.on_gpu
def _(gpu, x, filter, *, strides, padding, data_format):
    windows = _depthwise_windows(strides, padding, data_format)
    axes = _forward_axes(x, filter, windows)
    grouped = filter.reshape(_grouped_filter_shape(filter.shape))
    result = cudnn.convolve(gpu, x, grouped, axes, windows.channels_first)
    return _forward(gpu.xp, x, filter, windows, axes) if result is None else result


def _forward_axes(x: Any, filter: Any, windows: ConvWindows) -> list[Axis]:
    if x.ndim != 4:
        invalid(f"input must be 4-dimensional{shape_text(x.shape)}")
    if filter.ndim != 4:
        invalid(f"filter must be 4-dimensional: {shape_text(filter.shape)}")
    depth = x.shape[windows.channel_axis]
    if depth != filter.shape[2]:
        invalid(f"input and filter must have the same depth: {depth} vs {filter.shape[2]}")
    return window_axes(windows, windows.spatial(x.shape), filter.shape[:2])


def _forward(xp: Any, x: Any, filter: Any, windows: ConvWindows, axes: Sequence[Axis]) -> Any:
    images = channels_last(xp, widen(x), windows.channels_first)
    result = kernels.convolve_depthwise(xp, images, widen(filter), *axes)
    return narrow(x.dtype, channels_restored(xp, result, windows.channels_first))


@depthwise_op.infer
def _(op) -> Dims:
    x, filter = with_rank(op.inputs[0]._dims, 4), with_rank(op.inputs[1]._dims, 4)
    strides, padding = op.attrs["strides"], op.attrs["padding"]
    if len(strides) != 4:
        raise InferenceError(
            "DepthwiseConv2D requires the stride attribute to contain 4 values, but got: "
            f"{len(strides)}"
        )
    channels_first = op.attrs["data_format"] == "NCHW"
    axes, channel = ((2, 3), 1) if channels_first else ((1, 2), 3)
    depth = merge_dim(x[channel], filter[2])
    filters = None if depth is None or filter[3] is None else depth * filter[3]
    counts = [
        static_count(x[axis], filter[index], strides[axis], 1, 0, padding == "SAME")
        for index, axis in enumerate(axes)
    ]
    return (x[0], filters, *counts) if channels_first else (x[0], *counts, filters)


@depthwise_op.gradient
def _(op, grad):
    attrs = _gradient_attrs(op)
    return (
        raw.DepthwiseConv2dNativeBackpropInput(
            ops.shape(op.inputs[0]), op.inputs[1], grad, **attrs
        ),
        raw.DepthwiseConv2dNativeBackpropFilter(
            op.inputs[0], ops.shape(op.inputs[1]), grad, **attrs
        ),
    )


# The gradients ---------------------------------------------------------------------------------------


def _gradient_axes(
    label: str, windows: ConvWindows, x: Sequence[int], filter: Sequence[int], grad: Sequence[int]
) -> list[Axis]:
    """Returns rows and columns for the shapes of input, filter and output gradient."""
    for argument, shape in (("input", x), ("filter", filter), ("out_backprop", grad)):
        if len(shape) != 4:
            invalid(f"{label}: {argument} must be 4-dimensional")
    if x[0] != grad[0]:
        invalid(f"{label}: input and out_backprop must have the same batch size")
    channel = windows.channel_axis
    if x[channel] != filter[2]:
        invalid(f"{label}: input and filter must have the same in_depth")
    if filter[2] * filter[3] != grad[channel]:
        invalid(f"{label}: depth_multiplier * in_depth not equal to out_depth")
    axes = window_axes(windows, windows.spatial(x), filter[:2])
    for argument, axis, actual in zip(("rows", "cols"), axes, windows.spatial(grad)):
        if axis.count != actual:
            invalid(
                f"{label}: Number of {argument} of out_backprop doesn't match computed: actual = "
                f"{actual}, computed = {axis.count}"
            )
    return axes


@op(
    "DepthwiseConv2dNativeBackpropInput",
    "input_sizes: int32, filter: T, out_backprop: T -> output: T",
    sized_by_values=True,
    check_attrs=_check_attrs,
    infer=shape_from_input(0, 4),
    **_ATTRS,
)
def depthwise_backprop_input_op(xp, sizes, filter, grad, *, strides, padding, data_format):
    shape = shape_argument(sizes, "Conv2DBackpropInput: input_sizes")
    windows = _depthwise_windows(strides, padding, data_format)
    axes = _gradient_axes("DepthwiseConv2DBackpropInput", windows, shape, filter.shape, grad.shape)
    _require_channels_last(data_format, grad.size)
    return _input_gradient(xp, filter, grad, windows, axes)


@depthwise_backprop_input_op.on_gpu
def _(gpu, sizes, filter, grad, *, strides, padding, data_format):
    shape = shape_argument(sizes, "Conv2DBackpropInput: input_sizes")
    windows = _depthwise_windows(strides, padding, data_format)
    axes = _gradient_axes("DepthwiseConv2DBackpropInput", windows, shape, filter.shape, grad.shape)
    grouped, first = filter.reshape(_grouped_filter_shape(filter.shape)), windows.channels_first
    result = cudnn.input_gradient(gpu, filter.shape[2], grouped, grad, axes, first)
    return _input_gradient(gpu.xp, filter, grad, windows, axes) if result is None else result


def _input_gradient(
    xp: Any, filter: Any, grad: Any, windows: ConvWindows, axes: Sequence[Axis]
) -> Any:
    grads = channels_last(xp, widen(grad), windows.channels_first)
    result = kernels.input_gradient(xp, widen(filter), grads, *axes)
    return narrow(grad.dtype, channels_restored(xp, result, windows.channels_first))


@depthwise_backprop_input_op.gradient
def _(op, grad):
    attrs = _gradient_attrs(op)
    shape = ops.shape(op.inputs[1])
    return (
        None,
        raw.DepthwiseConv2dNativeBackpropFilter(grad, shape, op.inputs[2], **attrs),
        raw.DepthwiseConv2dNative(grad, op.inputs[1], **attrs),
    )


@op(
    "DepthwiseConv2dNativeBackpropFilter",
    "input: T, filter_sizes: int32, out_backprop: T -> output: T",
    check_attrs=_check_attrs,
    infer=shape_from_input(1, 4),
    **_ATTRS,
)
def depthwise_backprop_filter_op(xp, x, sizes, grad, *, strides, padding, data_format):
    shape = shape_argument(sizes, "Conv2DBackpropFilter: filter_sizes")
    windows = _depthwise_windows(strides, padding, data_format)
    axes = _gradient_axes("DepthwiseConv2DBackpropFilter", windows, x.shape, shape, grad.shape)
    _require_channels_last(data_format, grad.size)
    return _filter_gradient(xp, x, grad, shape, windows, axes)


@depthwise_backprop_filter_op.on_gpu
def _(gpu, x, sizes, grad, *, strides, padding, data_format):
    shape = shape_argument(sizes, "Conv2DBackpropFilter: filter_sizes")
    windows = _depthwise_windows(strides, padding, data_format)
    axes = _gradient_axes("DepthwiseConv2DBackpropFilter", windows, x.shape, shape, grad.shape)
    grouped, first = _grouped_filter_shape(shape), windows.channels_first
    result = cudnn.filter_gradient(gpu, x, grouped, grad, axes, first)
    if result is None:
        return _filter_gradient(gpu.xp, x, grad, shape, windows, axes)
    return result.reshape(shape)


def _filter_gradient(
    xp: Any, x: Any, grad: Any, shape: tuple, windows: ConvWindows, axes: Sequence[Axis]
) -> Any:
    images, grads = (channels_last(xp, widen(array), windows.channels_first) for array in (x, grad))
    result = kernels.filter_gradient(xp, images, grads, *axes)
    return narrow(grad.dtype, result.reshape(shape))


@depthwise_backprop_filter_op.gradient
def _(op, grad):
    attrs = _gradient_attrs(op)
    shape = ops.shape(op.inputs[0])
    return (
        raw.DepthwiseConv2dNativeBackpropInput(shape, grad, op.inputs[2], **attrs),
        None,
        raw.DepthwiseConv2dNative(op.inputs[0], grad, **attrs),
    )


# Functions -------------------------------------------------------------------------------------------


def depthwise_conv2d_native(
    input: TensorLike,
    filter: TensorLike,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    dilations: Sequence[int] = [1, 1, 1, 1],  # TensorFlow's default; never mutated
    name: str | None = None,
) -> Tensor:
    """Computes a depthwise convolution in a single node.

    Args:
      input: [batch, rows, columns, depth], a float tensor (on a GPU also [batch, depth, rows, columns], with "NCHW").
      filter: [rows, columns, depth, multiples], of the same dtype; each channel yields `multiples` output channels.
      strides: four numbers in the order of `data_format`, equal for rows and columns.
      padding: "VALID" or "SAME".
      data_format: "NHWC" or "NCHW".
      dilations: recorded in the node only, as in TensorFlow; `tf.nn.depthwise_conv2d` has a `rate`.

    Returns:
      [batch, rows, columns, depth * multiples], of the same dtype.

    Raises:
      ValueError: if shapes or strides are invalid.

    Example:
      blurred = tf.nn.depthwise_conv2d_native(images, tf.fill([3, 3, 3, 1], 1 / 9), [1, 1, 1, 1], "SAME")
    """
    return raw.DepthwiseConv2dNative(**locals())


def depthwise_conv2d_native_backprop_input(
    input_sizes: TensorLike,
    filter: TensorLike,
    out_backprop: TensorLike,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    dilations: Sequence[int] = [1, 1, 1, 1],
    name: str | None = None,
) -> Tensor:
    """Returns the gradient of `depthwise_conv2d_native` with respect to the input.

    Args:
      input_sizes: the shape of the input, an int32 vector.
      filter: [rows, columns, depth, multiples], a float tensor.
      out_backprop: [batch, rows, columns, depth * multiples], the gradient of the output.
      strides, padding, data_format, dilations: as for `depthwise_conv2d_native`.

    Returns:
      A tensor of shape `input_sizes`.

    Raises:
      ValueError: for statically known mismatches; InvalidArgumentError: for others, at run time.
    """
    return raw.DepthwiseConv2dNativeBackpropInput(**locals())


def depthwise_conv2d_native_backprop_filter(
    input: TensorLike,
    filter_sizes: TensorLike,
    out_backprop: TensorLike,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    dilations: Sequence[int] = [1, 1, 1, 1],
    name: str | None = None,
) -> Tensor:
    """Returns the gradient of `depthwise_conv2d_native` with respect to the filter.

    Args:
      input: [batch, rows, columns, depth], a float tensor.
      filter_sizes: the shape of the filter, an int32 vector.
      out_backprop: [batch, rows, columns, depth * multiples], the gradient of the output.
      strides, padding, data_format, dilations: as for `depthwise_conv2d_native`.

    Returns:
      A tensor of shape `filter_sizes`.

    Raises:
      ValueError: for statically known mismatches; InvalidArgumentError: for others, at run time.
    """
    return raw.DepthwiseConv2dNativeBackpropFilter(**locals())
