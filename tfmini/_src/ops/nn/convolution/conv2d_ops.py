"""Two-dimensional convolution ops: Conv2D and its gradients."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.devices.cuda.cudnn import conv_forward_backward as cudnn
from tfmini._src.devices.host.native import convolution as native
from tfmini._src.devices.numpy.windows.convolution import (
    convolve,
    filter_gradient,
    input_gradient,
    native_pass_for_shapes,
)
from tfmini._src.graph.opdef import Attr, OpDef, op_with_traits, raw
from tfmini._src.ops import ops
from tfmini._src.ops.nn.convolution.conv_windows import (
    ConvWindows,
    check_cpu_forward,
    check_forward,
    check_gradient,
    node_windows,
    shape_argument,
    shape_from_input,
    static_shape,
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
from tfmini._src.ops.type_lists import HALF_TO_DOUBLE

op = op_with_traits(long_running=True)
_ATTRS: dict[str, Any] = {
    "T": HALF_TO_DOUBLE,
    "strides": Attr("list(int)"),
    "use_cudnn_on_gpu": True,
    "padding": Attr("string", allowed=("SAME", "VALID", "EXPLICIT")),
    "explicit_paddings": Attr("list(int)", default=[]),
    "data_format": Attr("string", "NHWC", allowed=("NHWC", "NCHW")),
    "dilations": Attr("list(int)", default=[1, 1, 1, 1]),
}
_WINDOWS = ("strides", "dilations", "padding", "explicit_paddings", "data_format")


def _attr_windows(attrs: dict[str, Any]) -> ConvWindows:
    return node_windows(*(attrs[name] for name in _WINDOWS))


def _bind(opdef: OpDef, which: int, arrays: tuple[int, int], sizes: int | None = None) -> None:
    """Binds the native kernel for static shapes, without run-time checks.

    arrays: the inputs passed to the kernel; sizes: the input that specifies the shape of the result.
    """

    @opdef.bind
    def _(ctx):
        call, expected = _kernel_for_static_shapes(ctx, which, sizes), ctx.op.outputs[0]._dims
        if call is None:
            return None
        first, second = arrays
        attrs = {name: ctx.attrs[name] for name in opdef.kernel_attrs}

        def bound(*inputs):
            if sizes is None or tuple(inputs[sizes].tolist()) == expected:
                result = call(inputs[first], inputs[second])
                if result is not None:
                    return result
            return opdef.kernel(np, *inputs, **attrs)

        return bound


def _kernel_for_static_shapes(ctx: Any, which: int, sizes: int | None) -> Callable[..., Any] | None:
    shapes: list[Any] = list(ctx.dims)
    if sizes is not None:
        shapes[sizes] = ctx.op.outputs[0]._dims
    if ctx.xp is not np or ctx.attrs["T"] is not dtypes.float32:
        return None
    if any(dims is None or len(dims) != 4 or None in dims for dims in shapes):
        return None
    windows, (x, filter, *grad) = _attr_windows(ctx.attrs), shapes
    if windows.channels_first or x[3] != filter[2]:
        return None
    with suppress(InvalidArgumentError):  # the kernel raises it
        axes = check_gradient("", windows, *shapes) if grad else check_forward(windows, x, filter)
        return native_pass_for_shapes(which, axes, x, filter)
    return None


# Conv2D ----------------------------------------------------------------------------------------------


@op(
    "Conv2D",
    "input: T, filter: T -> output: T",
    host_or_cuda=True,
    infer=static_shape,
    **_ATTRS,
)
def conv2d_op(xp, x, filter, *, strides, dilations, padding, explicit_paddings, data_format):
    windows = node_windows(strides, dilations, padding, explicit_paddings, data_format)
    axes = check_forward(windows, x.shape, filter.shape)
    check_cpu_forward(windows, x.shape[3], filter.shape[2])
    return narrow(x.dtype, convolve(xp, widen(x), widen(filter), *axes))


_bind(conv2d_op, native.FORWARD, (0, 1))
conv2d_op.check_attrs(lambda attrs, on_gpu: _attr_windows(attrs))


@conv2d_op.on_gpu
def _(
    gpu, x, filter, *, strides, use_cudnn_on_gpu, dilations, padding, explicit_paddings, data_format
):
    windows = node_windows(strides, dilations, padding, explicit_paddings, data_format)
    axes = check_forward(windows, x.shape, filter.shape)
    if use_cudnn_on_gpu:
        result = cudnn.convolve(gpu, x, filter, axes, windows.channels_first)
        if result is not None:
            return result
    wide = channels_last(gpu.xp, widen(x), windows.channels_first)
    parts = [convolve(gpu.xp, part, kernel, *axes) for part, kernel in groups(wide, widen(filter))]
    return narrow(
        x.dtype,
        channels_restored(gpu.xp, concatenate_groups(gpu.xp, parts), windows.channels_first),
    )


@conv2d_op.gradient
def _(op, grad):
    shapes = ops.shape_n([op.inputs[0], op.inputs[1]])
    attrs = _gradient_attrs(op)
    return (
        raw.Conv2DBackpropInput(shapes[0], op.inputs[1], grad, **attrs),
        raw.Conv2DBackpropFilter(op.inputs[0], shapes[1], grad, **attrs),
    )


# The gradient of the input ---------------------------------------------------------------------------


@op(
    "Conv2DBackpropInput",
    "input_sizes: int32, filter: T, out_backprop: T -> output: T",
    sized_by_values=True,
    infer=shape_from_input(0, 4),
    **_ATTRS,
)
def conv2d_backprop_input_op(
    xp, sizes, filter, grad, *, strides, dilations, padding, explicit_paddings, data_format
):
    windows = node_windows(strides, dilations, padding, explicit_paddings, data_format)
    shape = shape_argument(sizes, "Conv2DBackpropInput: input_sizes")
    label = "Conv2DCustomBackpropInput"
    axes = check_gradient(label, windows, shape, filter.shape, grad.shape)
    _check_ungrouped(label, shape[3], filter.shape[2])
    return narrow(grad.dtype, input_gradient(xp, widen(filter), widen(grad), *axes))


_bind(conv2d_backprop_input_op, native.INPUT_GRADIENT, (2, 1), sizes=0)


@conv2d_backprop_input_op.check_attrs
def _(attrs, on_gpu):
    _check_gradient_attrs("Conv2DCustomBackpropInputOp", attrs, on_gpu)


@conv2d_backprop_input_op.on_gpu
def _(
    gpu, sizes, filter, grad, *,
    strides, use_cudnn_on_gpu, dilations, padding, explicit_paddings, data_format,
):  # fmt: skip
    windows = node_windows(strides, dilations, padding, explicit_paddings, data_format)
    shape = shape_argument(sizes, "Conv2DBackpropInput: input_sizes")
    axes = check_gradient("Conv2DSlowBackpropInput", windows, shape, filter.shape, grad.shape)
    if use_cudnn_on_gpu:
        depth, first = shape[windows.channel_axis], windows.channels_first
        result = cudnn.input_gradient(gpu, depth, filter, grad, axes, first)
        if result is not None:
            return result
    wide = channels_last(gpu.xp, widen(grad), windows.channels_first)
    count = shape[windows.channel_axis] // max(filter.shape[2], 1)
    kernels = split(widen(filter), count)
    parts = [
        input_gradient(gpu.xp, kernel, part, *axes)
        for kernel, part in zip(kernels, split(wide, count))
    ]
    return narrow(
        grad.dtype,
        channels_restored(gpu.xp, concatenate_groups(gpu.xp, parts), windows.channels_first),
    )


@conv2d_backprop_input_op.gradient
def _(op, grad):
    attrs = _gradient_attrs(op)
    return (
        None,
        raw.Conv2DBackpropFilter(grad, ops.shape(op.inputs[1]), op.inputs[2], **attrs),
        raw.Conv2D(grad, op.inputs[1], **attrs),
    )


# The gradient of the filter --------------------------------------------------------------------------


@op(
    "Conv2DBackpropFilter",
    "input: T, filter_sizes: int32, out_backprop: T -> output: T",
    host_or_cuda=True,
    infer=shape_from_input(1, 4),
    **_ATTRS,
)
def conv2d_backprop_filter_op(
    xp, x, sizes, grad, *, strides, dilations, padding, explicit_paddings, data_format
):
    windows = node_windows(strides, dilations, padding, explicit_paddings, data_format)
    label = "Conv2DCustomBackpropFilter"
    shape = shape_argument(sizes, f"{label}: filter_sizes")
    axes = check_gradient(label, windows, x.shape, shape, grad.shape)
    _check_ungrouped(label, x.shape[3], shape[2])
    return narrow(grad.dtype, filter_gradient(xp, widen(x), widen(grad), *axes))


_bind(conv2d_backprop_filter_op, native.FILTER_GRADIENT, (0, 2), sizes=1)


@conv2d_backprop_filter_op.check_attrs
def _(attrs, on_gpu):
    _check_gradient_attrs("Conv2DCustomBackpropFilterOp", attrs, on_gpu)


def _cudnn_filter_gradient(
    gpu: Any, x: Any, sizes: Any, grad: Any, windows: ConvWindows, as_view: bool = False
) -> Any:
    """Returns the filter gradient computed by cuDNN, or None if unsupported."""
    shape = shape_argument(sizes, "Conv2DBackpropFilter: filter_sizes")
    axes = check_gradient("Conv2DSlowBackpropFilter", windows, x.shape, shape, grad.shape)
    return cudnn.filter_gradient(gpu, x, shape, grad, axes, windows.channels_first, as_view)


def filter_gradient_as_view(gpu: Any, x: Any, sizes: Any, grad: Any, attrs: dict[str, Any]) -> Any:
    """Returns Conv2DBackpropFilter for these attrs, with results in cuDNN's memory order; None if unsupported."""
    return _cudnn_filter_gradient(gpu, x, sizes, grad, _attr_windows(attrs), as_view=True)


@conv2d_backprop_filter_op.on_gpu
def _(
    gpu, x, sizes, grad, *,
    strides, use_cudnn_on_gpu, dilations, padding, explicit_paddings, data_format,
):  # fmt: skip
    windows = node_windows(strides, dilations, padding, explicit_paddings, data_format)
    result = _cudnn_filter_gradient(gpu, x, sizes, grad, windows) if use_cudnn_on_gpu else None
    if result is not None:
        return result
    shape = shape_argument(sizes, "Conv2DBackpropFilter: filter_sizes")
    axes = check_gradient("Conv2DSlowBackpropFilter", windows, x.shape, shape, grad.shape)
    inputs = channels_last(gpu.xp, widen(x), windows.channels_first)
    grads = channels_last(gpu.xp, widen(grad), windows.channels_first)
    count = inputs.shape[3] // max(shape[2], 1)
    parts = [
        filter_gradient(gpu.xp, a, b, *axes)
        for a, b in zip(split(inputs, count), split(grads, count))
    ]
    return narrow(grad.dtype, concatenate_groups(gpu.xp, parts))


@conv2d_backprop_filter_op.gradient
def _(op, grad):
    attrs = _gradient_attrs(op)
    return (
        raw.Conv2DBackpropInput(ops.shape(op.inputs[0]), grad, op.inputs[2], **attrs),
        None,
        raw.Conv2D(op.inputs[0], grad, **attrs),
    )


# Shared by the kernels -------------------------------------------------------------------------------


def _gradient_attrs(op: Any) -> dict[str, Any]:
    return {name: op.attrs[name] for name in (*_WINDOWS, "use_cudnn_on_gpu")}


def _check_gradient_attrs(kernel: str, attrs: dict[str, Any], on_gpu: bool) -> None:
    if on_gpu:
        _attr_windows(attrs)
        return
    if attrs["data_format"] != "NHWC":
        invalid(f"{kernel} only supports NHWC.")
    strides, dilations = attrs["strides"], attrs["dilations"]
    outer_strides = {*strides[:1], *strides[-1:], *dilations[:1], *dilations[-1:]}
    if len(strides) == len(dilations) == 4 and outer_strides == {1} and set(dilations) != {1}:
        invalid(
            "Current libxsmm and customized CPU implementations do not yet support dilation rates "
            "larger than 1."
        )
    _attr_windows(attrs)


def _check_ungrouped(label: str, depth: int, filter_depth: int) -> None:
    if depth != filter_depth:
        invalid(
            f"{label}: grouped convolutions have no gradient on the CPU: the input depth of {depth} "
            f"does not match the filter input depth of {filter_depth}"
        )
