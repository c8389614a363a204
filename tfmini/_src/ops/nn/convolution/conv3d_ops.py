"""Three-dimensional convolution ops: Conv3D and its gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.devices.cuda.cudnn import conv_forward_backward as cudnn
from tfmini._src.devices.numpy.windows import convolution as kernels
from tfmini._src.devices.numpy.windows.axes import Axis
from tfmini._src.graph.opdef import Attr, op_with_traits, raw
from tfmini._src.graph.shape_inference import Dims, InferenceError, copy_input_shape, with_rank
from tfmini._src.ops import ops
from tfmini._src.ops.nn.convolution.conv_windows import (
    ConvWindows,
    check_gradient,
    check_groups,
    shape_argument,
    shape_from_input,
    static_count,
    window_axes,
)
from tfmini._src.ops.nn.layouts import (
    channels_last,
    channels_restored,
    concatenate_groups,
    groups,
    narrow,
    split,
    widen,
)
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.type_lists import HALF_TO_DOUBLE

op = op_with_traits(long_running=True)
_FORMATS = ("NDHWC", "NCDHW")
_UNIT_DILATIONS = [1, 1, 1, 1, 1]
_WINDOWS = ("strides", "dilations", "padding", "data_format")
_ATTRS: dict[str, Any] = {
    "T": HALF_TO_DOUBLE,
    "strides": Attr("list(int)", minimum=5),
    "padding": Attr("string", allowed=("SAME", "VALID")),
    "data_format": Attr("string", "NDHWC", allowed=_FORMATS),
    "dilations": Attr("list(int)", default=_UNIT_DILATIONS),
}
# The first version of the gradient ops, which lacks a data format.
_INITIAL_ATTRS = {
    **{name: attr for name, attr in _ATTRS.items() if name != "data_format"},
    "T": (dtypes.float16, dtypes.float32, dtypes.float64),
}


def _gradient_attrs(op: Any) -> dict[str, Any]:
    return {name: op.attrs[name] for name in _WINDOWS}


def _conv3d_windows(
    strides: Sequence[int], dilations: Sequence[int], padding: str, data_format: str
) -> ConvWindows:
    first = data_format == "NCDHW"
    axes = (2, 3, 4) if first else (1, 2, 3)
    full_strides, filter_dilations = (
        tuple(values[axis] for axis in axes) for values in (strides, dilations)
    )
    return ConvWindows(full_strides, filter_dilations, padding, ((0, 0),) * 3, first)


def _check_strides(strides: Sequence[int], channel: int, positive: bool) -> None:
    if len(strides) != 5:
        invalid("Sliding window strides field must specify 5 dimensions")
    if strides[0] != 1 or strides[channel] != 1:
        invalid(
            "Current implementation does not yet support strides in the batch and depth dimensions."
        )
    if positive and min(strides) <= 0:
        invalid("Spatial strides should be larger than 0.")


def _check_dilations(dilations: Sequence[int], channel: int, refuses_dilations: bool) -> None:
    if len(dilations) != 5:
        invalid("Dilation rates field must specify 5 dimensions")
    if dilations[0] != 1 or dilations[channel] != 1:
        invalid(
            "Current implementation does not yet support dilation rates in the batch and depth "
            "dimensions."
        )
    if refuses_dilations and set(dilations) != {1}:
        invalid("Current CPU implementation does not yet support dilation rates larger than 1.")
    if min(dilations) <= 0:
        invalid("Dilated rates should be larger than 0.")


def _channel(data_format: str) -> int:
    return 1 if data_format == "NCDHW" else 4


# Conv3D ----------------------------------------------------------------------------------------------


@op("Conv3D", "input: T, filter: T -> output: T", host_or_cuda=True, **_ATTRS)
def conv3d_op(xp, x, filter, *, strides, padding, data_format, dilations):
    windows = _conv3d_windows(strides, dilations, padding, data_format)
    axes = _forward_axes(windows, x, filter)
    if x.size and filter.size and all(axis.count for axis in axes):
        if data_format != "NDHWC":
            invalid("CPU implementation of Conv3D currently only supports the NHWC tensor format.")
        if set(dilations) != {1}:
            invalid("CPU implementation of Conv3D currently only supports dilated rates of 1.")
        _check_ungrouped("Conv3D", x.shape[4], filter.shape[3])
    return _convolve(xp, x, filter, windows, axes)


@conv3d_op.on_gpu
def _(gpu, x, filter, *, strides, padding, data_format, dilations):
    windows = _conv3d_windows(strides, dilations, padding, data_format)
    axes = _forward_axes(windows, x, filter)
    result = cudnn.convolve(gpu, x, filter, axes, windows.channels_first)
    return _convolve(gpu.xp, x, filter, windows, axes) if result is None else result


def _forward_axes(windows: ConvWindows, x: Any, filter: Any) -> list:
    if x.ndim != 5:
        invalid("input must be 5-dimensional")
    if filter.ndim != 5:
        invalid("filter must be 5-dimensional")
    depth = x.shape[windows.channel_axis]
    if depth and depth % max(filter.shape[3], 1):
        invalid(
            f"Input depth must be evenly divisible by filter depth: {depth} vs {filter.shape[3]}"
        )
    return window_axes(windows, windows.spatial(x.shape), filter.shape[:3])


def _convolve(xp: Any, x: Any, filter: Any, windows: ConvWindows, axes: list) -> Any:
    wide = channels_last(xp, widen(x), windows.channels_first)
    parts = [
        kernels.convolve(xp, part, kernel, *axes) for part, kernel in groups(wide, widen(filter))
    ]
    result = channels_restored(xp, concatenate_groups(xp, parts), windows.channels_first)
    return narrow(x.dtype, result)


def _check_ungrouped(label: str, depth: int, filter_depth: int) -> None:
    if depth != filter_depth:
        raise UnimplementedError(
            None,
            None,
            f"{label}: grouped convolutions have no kernel on the CPU: the input depth of {depth} "
            f"does not match the filter input depth of {filter_depth}",
        )


@conv3d_op.check_attrs
def _(attrs, on_gpu):
    channel = _channel(attrs["data_format"])
    _check_strides(attrs["strides"], channel, positive=True)
    _check_dilations(attrs["dilations"], channel, refuses_dilations=False)


@conv3d_op.infer
def _(op) -> Dims:
    channels_first = op.attrs["data_format"] == "NCDHW"
    x, filter = with_rank(op.inputs[0]._dims, 5), with_rank(op.inputs[1]._dims, 5)
    strides, dilations = op.attrs["strides"], op.attrs["dilations"]
    for attr_name, values in (("dilation", dilations), ("stride", strides)):
        if len(values) != 5:
            raise InferenceError(
                f"Conv3D requires the {attr_name} attribute to contain 5 values, but got: {len(values)}"
            )
    check_groups(x[_channel(op.attrs["data_format"])], filter[3], filter[4])
    first = 2 if channels_first else 1
    # TensorFlow's rule swaps the dilations of rows and columns.
    filter_dilations = (dilations[first], dilations[first + 2], dilations[first + 1])
    counts = [
        static_count(
            x[first + n],
            filter[n],
            strides[first + n],
            filter_dilations[n],
            0,
            op.attrs["padding"] == "SAME",
        )
        for n in range(3)
    ]
    return (x[0], filter[4], *counts) if channels_first else (x[0], *counts, filter[4])


@conv3d_op.gradient
def _(op, grad):
    attrs = _gradient_attrs(op)
    return (
        raw.Conv3DBackpropInputV2(ops.shape(op.inputs[0]), op.inputs[1], grad, **attrs),
        raw.Conv3DBackpropFilterV2(op.inputs[0], ops.shape(op.inputs[1]), grad, **attrs),
    )


# Shared by both gradients ----------------------------------------------------------------------------


def _check_gradient_attrs(kernel: str) -> Callable:
    def check(attrs: dict[str, Any], on_gpu: bool) -> None:
        data_format = attrs.get("data_format", "NDHWC")
        channel = _channel(data_format)
        if not on_gpu and data_format != "NDHWC":
            invalid(f"{kernel}V2 only supports NDHWC on the CPU.")
        _check_dilations(attrs["dilations"], channel, refuses_dilations=not on_gpu)
        _check_strides(attrs["strides"], channel, positive=on_gpu)

    return check


def _shape_tuple(tensor: Any) -> tuple[int, ...]:
    """Converts a shape tensor to a tuple."""
    if tensor.ndim != 1:
        invalid(f"shape must be a vector of {{int32,int64}}, got shape {shape_text(tensor.shape)}")
    return shape_argument(tensor, "")


def _gradient_axes(
    label: str,
    windows: ConvWindows,
    x: Sequence[int],
    filter: Sequence[int],
    grad: Any,
    on_gpu: bool,
) -> tuple[Axis, ...]:
    axes = check_gradient(label, windows, x, filter, grad.shape)
    if not on_gpu:
        _check_ungrouped(label, x[4], filter[3])
    return axes


# The gradient of the input ---------------------------------------------------------------------------


def _for_input(
    xp: Any, shape: tuple[int, ...], filter: Any, grad: Any, windows: ConvWindows, gpu: Any = None
) -> Any:
    on_gpu = gpu is not None
    axes = _gradient_axes("Conv3DBackpropInputOp", windows, shape, filter.shape, grad, on_gpu)
    if on_gpu:
        depth, first = shape[windows.channel_axis], windows.channels_first
        computed = cudnn.input_gradient(gpu, depth, filter, grad, axes, first)
        if computed is not None:
            return computed
    wide = channels_last(xp, widen(grad), windows.channels_first)
    count = shape[windows.channel_axis] // max(filter.shape[3], 1)
    parts = [
        kernels.input_gradient(xp, kernel, part, *axes)
        for kernel, part in zip(split(widen(filter), count), split(wide, count))
    ]
    result = channels_restored(xp, concatenate_groups(xp, parts), windows.channels_first)
    return narrow(grad.dtype, result)


@op(
    "Conv3DBackpropInputV2",
    "input_sizes: Tshape, filter: T, out_backprop: T -> output: T",
    sized_by_values=True,
    check_attrs=_check_gradient_attrs("Conv3DBackpropInputOp"),
    infer=shape_from_input(0, 5),
    **_ATTRS,
    Tshape=Attr("type", dtypes.int32, allowed=(dtypes.int32, dtypes.int64)),
)
def conv3d_backprop_input_op(xp, sizes, filter, grad, *, strides, padding, data_format, dilations):
    windows = _conv3d_windows(strides, dilations, padding, data_format)
    return _for_input(xp, _shape_tuple(sizes), filter, grad, windows)


@conv3d_backprop_input_op.on_gpu
def _(gpu, sizes, filter, grad, *, strides, padding, data_format, dilations):
    windows = _conv3d_windows(strides, dilations, padding, data_format)
    return _for_input(gpu.xp, _shape_tuple(sizes), filter, grad, windows, gpu)


@conv3d_backprop_input_op.gradient
def _(op, grad):
    attrs = _gradient_attrs(op)
    shape = ops.shape(op.inputs[1])
    return (
        None,
        raw.Conv3DBackpropFilterV2(grad, shape, op.inputs[2], **attrs),
        raw.Conv3D(grad, op.inputs[1], **attrs),
    )


@op(
    "Conv3DBackpropInput",
    "input: T, filter: T, out_backprop: T -> output: T",
    check_attrs=_check_gradient_attrs("Conv3DBackpropInputOp"),
    infer=copy_input_shape(0, rank=5),
    **_INITIAL_ATTRS,
)
def conv3d_backprop_input_first_op(xp, x, filter, grad, *, strides, padding, dilations):
    windows = _conv3d_windows(strides, dilations, padding, "NDHWC")
    return _for_input(xp, x.shape, filter, grad, windows)


@conv3d_backprop_input_first_op.on_gpu
def _(gpu, x, filter, grad, *, strides, padding, dilations):
    windows = _conv3d_windows(strides, dilations, padding, "NDHWC")
    return _for_input(gpu.xp, x.shape, filter, grad, windows, gpu)


# The gradient of the filter --------------------------------------------------------------------------


def _for_filter(
    xp: Any, x: Any, shape: tuple[int, ...], grad: Any, windows: ConvWindows, gpu: Any = None
) -> Any:
    on_gpu = gpu is not None
    axes = _gradient_axes("Conv3DBackpropFilterOp", windows, x.shape, shape, grad, on_gpu)
    if on_gpu:
        result = cudnn.filter_gradient(gpu, x, shape, grad, axes, windows.channels_first)
        if result is not None:
            return result
    images, grads = (channels_last(xp, widen(array), windows.channels_first) for array in (x, grad))
    count = images.shape[4] // max(shape[3], 1)
    parts = [
        kernels.filter_gradient(xp, part, value, *axes)
        for part, value in zip(split(images, count), split(grads, count))
    ]
    return narrow(grad.dtype, concatenate_groups(xp, parts))


@op(
    "Conv3DBackpropFilterV2",
    "input: T, filter_sizes: int32, out_backprop: T -> output: T",
    host_or_cuda=True,
    check_attrs=_check_gradient_attrs("Conv3DBackpropFilterOp"),
    infer=shape_from_input(1, 5),
    **_ATTRS,
)
def conv3d_backprop_filter_op(xp, x, sizes, grad, *, strides, padding, data_format, dilations):
    windows = _conv3d_windows(strides, dilations, padding, data_format)
    return _for_filter(xp, x, _shape_tuple(sizes), grad, windows)


@conv3d_backprop_filter_op.on_gpu
def _(gpu, x, sizes, grad, *, strides, padding, data_format, dilations):
    windows = _conv3d_windows(strides, dilations, padding, data_format)
    return _for_filter(gpu.xp, x, _shape_tuple(sizes), grad, windows, gpu)


@conv3d_backprop_filter_op.gradient
def _(op, grad):
    attrs = _gradient_attrs(op)
    shape = ops.shape(op.inputs[0])
    return (
        raw.Conv3DBackpropInputV2(shape, grad, op.inputs[2], **attrs),
        None,
        raw.Conv3D(op.inputs[0], grad, **attrs),
    )


@op(
    "Conv3DBackpropFilter",
    "input: T, filter: T, out_backprop: T -> output: T",
    host_or_cuda=True,
    check_attrs=_check_gradient_attrs("Conv3DBackpropFilterOp"),
    infer=copy_input_shape(1, rank=5),
    **_INITIAL_ATTRS,
)
def conv3d_backprop_filter_first_op(xp, x, filter, grad, *, strides, padding, dilations):
    windows = _conv3d_windows(strides, dilations, padding, "NDHWC")
    return _for_filter(xp, x, filter.shape, grad, windows)


@conv3d_backprop_filter_first_op.on_gpu
def _(gpu, x, filter, grad, *, strides, padding, dilations):
    windows = _conv3d_windows(strides, dilations, padding, "NDHWC")
    return _for_filter(gpu.xp, x, filter.shape, grad, windows, gpu)
