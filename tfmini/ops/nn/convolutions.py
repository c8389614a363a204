"""Convolution in two dimensions: Conv2D, its gradients as ops, and the functions that compose them."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

import numpy as np

from tfmini.backend.convolving import convolved, filter_gradient, input_gradient
from tfmini.errors import invalid
from tfmini.graph.inference import Dims, input_dims, unknown_dims, with_rank
from tfmini.graph.opdef import Attr, op, ops, public, raw
from tfmini.graph.scopes import name_scope
from tfmini.graph.tensor import Tensor
from tfmini.names.deprecation import deprecated_argument_lookup
from tfmini.ops.nn.convolution_windows import (
    Windows,
    check_cpu_forward,
    check_forward,
    check_gradient,
    static_shape,
    windows_of,
)
from tfmini.ops.nn.layouts import channels_last, channels_restored, narrowed, widened
from tfmini.ops.type_lists import HALF_TO_DOUBLE

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


def _windows(attrs: dict[str, Any]) -> Windows:
    return windows_of(*(attrs[name] for name in _WINDOWS))


# Conv2D ----------------------------------------------------------------------------------------------


@op("Conv2D", "input: T, filter: T -> output: T", **_ATTRS)
def conv2d_op(xp, x, filter, *, strides, dilations, padding, explicit_paddings, data_format):
    windows = windows_of(strides, dilations, padding, explicit_paddings, data_format)
    axes = check_forward(windows, x.shape, filter.shape)
    check_cpu_forward(windows, x.shape[3], filter.shape[2])
    return narrowed(x.dtype, convolved(xp, widened(x), widened(filter), *axes))


conv2d_op.infer(static_shape)
conv2d_op.check_attrs(lambda attrs, on_gpu: _windows(attrs))


@conv2d_op.on_gpu
def _(gpu, x, filter, *, strides, dilations, padding, explicit_paddings, data_format):
    windows = windows_of(strides, dilations, padding, explicit_paddings, data_format)
    axes = check_forward(windows, x.shape, filter.shape)
    wide = channels_last(gpu.xp, widened(x), windows.channels_first)
    parts = [
        convolved(gpu.xp, part, kernel, *axes) for part, kernel in _groups(wide, widened(filter), 3)
    ]
    return narrowed(
        x.dtype, channels_restored(gpu.xp, _joined(gpu.xp, parts, 3), windows.channels_first)
    )


@conv2d_op.gradient
def _(op, grad):
    shapes = ops.shape_n([op.inputs[0], op.inputs[1]])
    attrs = _attrs(op)
    return (
        raw.Conv2DBackpropInput(shapes[0], op.inputs[1], grad, **attrs),
        raw.Conv2DBackpropFilter(op.inputs[0], shapes[1], grad, **attrs),
    )


# The gradient of the input ---------------------------------------------------------------------------


@op(
    "Conv2DBackpropInput",
    "input_sizes: int32, filter: T, out_backprop: T -> output: T",
    **_ATTRS,
)
def conv2d_backprop_input_op(
    xp, sizes, filter, grad, *, strides, dilations, padding, explicit_paddings, data_format
):
    windows = windows_of(strides, dilations, padding, explicit_paddings, data_format)
    shape = _shape(sizes, "Conv2DBackpropInput: input_sizes")
    label = "Conv2DCustomBackpropInput"
    axes = check_gradient(label, windows, shape, filter.shape, grad.shape)
    _refuse_groups(label, shape[3], filter.shape[2])
    return narrowed(grad.dtype, input_gradient(xp, widened(filter), widened(grad), *axes))


@conv2d_backprop_input_op.check_attrs
def _(attrs, on_gpu):
    _check_gradient_attrs("Conv2DCustomBackpropInputOp", attrs, on_gpu)


@conv2d_backprop_input_op.infer
def _(op) -> Dims:
    return _given_shape(op, 0)


@conv2d_backprop_input_op.on_gpu
def _(gpu, sizes, filter, grad, *, strides, dilations, padding, explicit_paddings, data_format):
    windows = windows_of(strides, dilations, padding, explicit_paddings, data_format)
    shape = _shape(sizes, "Conv2DBackpropInput: input_sizes")
    axes = check_gradient("Conv2DSlowBackpropInput", windows, shape, filter.shape, grad.shape)
    wide = channels_last(gpu.xp, widened(grad), windows.channels_first)
    count = shape[windows.channel_axis] // max(filter.shape[2], 1)
    kernels = _split(widened(filter), count, 3)
    parts = [
        input_gradient(gpu.xp, kernel, part, *axes)
        for kernel, part in zip(kernels, _split(wide, count, 3))
    ]
    return narrowed(
        grad.dtype, channels_restored(gpu.xp, _joined(gpu.xp, parts, 3), windows.channels_first)
    )


@conv2d_backprop_input_op.gradient
def _(op, grad):
    attrs = _attrs(op)
    return (
        None,
        raw.Conv2DBackpropFilter(grad, ops.shape(op.inputs[1]), op.inputs[2], **attrs),
        raw.Conv2D(grad, op.inputs[1], **attrs),
    )


# The gradient of the filter --------------------------------------------------------------------------


@op(
    "Conv2DBackpropFilter",
    "input: T, filter_sizes: int32, out_backprop: T -> output: T",
    **_ATTRS,
)
def conv2d_backprop_filter_op(
    xp, x, sizes, grad, *, strides, dilations, padding, explicit_paddings, data_format
):
    windows = windows_of(strides, dilations, padding, explicit_paddings, data_format)
    label = "Conv2DCustomBackpropFilter"
    shape = _shape(sizes, f"{label}: filter_sizes")
    axes = check_gradient(label, windows, x.shape, shape, grad.shape)
    _refuse_groups(label, x.shape[3], shape[2])
    return narrowed(grad.dtype, filter_gradient(xp, widened(x), widened(grad), *axes))


@conv2d_backprop_filter_op.check_attrs
def _(attrs, on_gpu):
    _check_gradient_attrs("Conv2DCustomBackpropFilterOp", attrs, on_gpu)


@conv2d_backprop_filter_op.infer
def _(op) -> Dims:
    return _given_shape(op, 1)


@conv2d_backprop_filter_op.on_gpu
def _(gpu, x, sizes, grad, *, strides, dilations, padding, explicit_paddings, data_format):
    windows = windows_of(strides, dilations, padding, explicit_paddings, data_format)
    shape = _shape(sizes, "Conv2DBackpropFilter: filter_sizes")
    axes = check_gradient("Conv2DSlowBackpropFilter", windows, x.shape, shape, grad.shape)
    inputs = channels_last(gpu.xp, widened(x), windows.channels_first)
    grads = channels_last(gpu.xp, widened(grad), windows.channels_first)
    count = inputs.shape[3] // max(shape[2], 1)
    parts = [
        filter_gradient(gpu.xp, a, b, *axes)
        for a, b in zip(_split(inputs, count, 3), _split(grads, count, 3))
    ]
    return narrowed(grad.dtype, _joined(gpu.xp, parts, 3))


@conv2d_backprop_filter_op.gradient
def _(op, grad):
    attrs = _attrs(op)
    return (
        raw.Conv2DBackpropInput(ops.shape(op.inputs[0]), grad, op.inputs[2], **attrs),
        None,
        raw.Conv2D(op.inputs[0], grad, **attrs),
    )


# What the kernels share ------------------------------------------------------------------------------


def _given_shape(op: Any, index: int) -> Dims:
    """The static shape of a result whose shape is input `index`."""
    vector = op.inputs[index]._dims
    if vector is not None and len(vector) == 1 and vector[0] is not None:
        with_rank(
            unknown_dims(vector[0]), 4
        )  # by the number of sizes, before any of them is looked at
    return with_rank(input_dims(op, index), 4)


def _attrs(op: Any) -> dict[str, Any]:
    return {name: op.attrs[name] for name in (*_WINDOWS, "use_cudnn_on_gpu")}


def _shape(sizes: Any, what: str) -> tuple[int, ...]:
    """A shape that is given as a tensor."""
    if np.ndim(sizes) != 1:
        invalid(f"{what} input must be 1-dim, not {np.ndim(sizes)}")
    for size in sizes:
        if size < 0:
            invalid(f"Dimension {size} must be >= 0")
    return tuple(map(int, sizes))


def _check_gradient_attrs(kernel: str, attrs: dict[str, Any], on_gpu: bool) -> None:
    if on_gpu:
        _windows(attrs)
        return
    if attrs["data_format"] != "NHWC":
        invalid(f"{kernel} only supports NHWC.")
    strides, dilations = attrs["strides"], attrs["dilations"]
    across = [values[axis] for values in (strides, dilations) for axis in (0, -1)]
    if len(strides) == len(dilations) == 4 and set(across) == {1} and set(dilations) != {1}:
        invalid(
            "Current libxsmm and customized CPU implementations do not yet support dilation rates "
            "larger than 1."
        )
    _windows(attrs)


def _refuse_groups(label: str, depth: int, filter_depth: int) -> None:
    if depth != filter_depth:
        invalid(
            f"{label}: grouped convolutions have no gradient on the CPU: the input depth of {depth} "
            f"does not match the filter input depth of {filter_depth}"
        )


def _split(x: Any, count: int, axis: int) -> list:
    """The parts for each group of channels."""
    if count <= 1:
        return [x]
    step = x.shape[axis] // count
    before = (slice(None),) * axis
    return [x[(*before, slice(n * step, (n + 1) * step))] for n in range(count)]


def _groups(x: Any, filter: Any, axis: int) -> list[tuple]:
    count = x.shape[3] // max(filter.shape[2], 1)
    return list(zip(_split(x, count, 3), _split(filter, count, axis)))


def _joined(xp: Any, parts: list, axis: int) -> Any:
    return parts[0] if len(parts) == 1 else xp.concatenate(parts, axis)


# Functions -------------------------------------------------------------------------------------------


@public
def conv2d(
    input: Any,
    filter: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str | None = "NHWC",
    dilations: Any = [1, 1, 1, 1],  # noqa: B006  # TensorFlow's default, never written
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """The sums of the input under a filter that moves over its rows and columns.

    output[b, i, j, k] = sum over di, dj, c of input[b, i * stride + di, j * stride + dj, c] *
    filter[di, dj, c, k].

    Args:
      input: [batch, rows, columns, depth], a float tensor (on a GPU also [batch, depth, rows,
        columns], with "NCHW").
      filter: [rows, columns, depth, filters], of the same dtype.
      strides: how far the filter moves: a number, two, or four in the order of `data_format`.
      padding: "VALID": the filter stays inside; "SAME": zeros around the input, so that the output
        has its size divided by the stride; or four pairs of numbers of zeros before and behind.
      use_cudnn_on_gpu: recorded.
      data_format: "NHWC" or "NCHW"; None for "NHWC".
      dilations: how far apart the filter's elements lie, given as `strides` are.
      name: the name of the node.
      filters: the newer name of `filter`.

    Returns:
      [batch, rows, columns, filters], of the same dtype.

    Raises:
      ValueError: if shapes, strides, paddings or dilations do not fit.

    Example: `tf.nn.conv2d(tf.ones([1, 4, 4, 1]), tf.ones([3, 3, 1, 1]), 1, "VALID")` is all 9.
    """
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    padding, pads = _split_padding(padding)
    data_format = data_format or "NHWC"
    return raw.Conv2D(
        input,
        filter,
        _four(strides, data_format, "strides"),
        padding,
        use_cudnn_on_gpu=use_cudnn_on_gpu,
        explicit_paddings=pads,
        data_format=data_format,
        dilations=_four(dilations, data_format, "dilations"),
        name=name,
    )


@public
def conv2d_backprop_input(
    input_sizes: Any,
    filter: Any = None,
    out_backprop: Any = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = [1, 1, 1, 1],  # noqa: B006
    name: str | None = None,
    filters: Any = None,
) -> Tensor:
    """The gradient of `conv2d` for its input.

    Args:
      input_sizes: the input's shape, an int32 vector.
      filter: [rows, columns, depth, filters], a float tensor.
      out_backprop: [batch, rows, columns, filters], the gradient of the output.
      strides: four numbers, in the order of `data_format`.
      padding: "VALID", "SAME" or four pairs of numbers.
      use_cudnn_on_gpu, data_format, name, filters: as for `conv2d`.
      dilations: four numbers; on a CPU all are 1.

    Returns:
      A tensor of the shape `input_sizes`.

    Raises:
      ValueError: if what is known statically does not fit; InvalidArgumentError: the rest.
    """
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    padding, pads = _split_padding(padding)
    return raw.Conv2DBackpropInput(
        input_sizes,
        filter,
        out_backprop,
        strides,
        padding,
        use_cudnn_on_gpu,
        pads,
        data_format,
        dilations,
        name=name,
    )


@public
def conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = [1, 1, 1, 1],  # noqa: B006
    name: str | None = None,
) -> Tensor:
    """The gradient of `conv2d` for its filter.

    Args:
      input: [batch, rows, columns, depth], a float tensor.
      filter_sizes: the filter's shape, an int32 vector.
      out_backprop: [batch, rows, columns, filters], the gradient of the output.
      strides: four numbers, in the order of `data_format`.
      padding: "VALID", "SAME" or four pairs of numbers.
      use_cudnn_on_gpu, data_format, name: as for `conv2d`.
      dilations: four numbers; on a CPU all are 1.

    Returns:
      A tensor of the shape `filter_sizes`.

    Raises:
      ValueError: if what is known statically does not fit; InvalidArgumentError: the rest.
    """
    padding, pads = _split_padding(padding)
    return raw.Conv2DBackpropFilter(
        input,
        filter_sizes,
        out_backprop,
        strides,
        padding,
        use_cudnn_on_gpu,
        pads,
        data_format,
        dilations,
        name=name,
    )


@public
def conv2d_transpose(
    value: Any = None,
    filter: Any = None,
    output_shape: Any = None,
    strides: Any = None,
    padding: str = "SAME",
    data_format: str | None = "NHWC",
    name: str | None = None,
    input: Any = None,
    filters: Any = None,
    dilations: Any = None,
) -> Tensor:
    """The gradient of `conv2d` used as a layer of its own, which makes images larger.

    Args:
      value: [batch, rows, columns, depth], a float tensor.
      filter: [rows, columns, filters, depth], of the same dtype.
      output_shape: the shape of the result, an int32 vector or a list.
      strides: how much larger the result is: a number, two, or four in the order of `data_format`.
      padding: "VALID" or "SAME".
      data_format: "NHWC", or on a GPU "NCHW".
      name: the name of the node.
      input, filters: other names of `value` and `filter`.
      dilations: how far apart the filter's elements lie; on a CPU 1.

    Returns:
      [batch, rows, columns, filters], of the same dtype.

    Raises:
      ValueError: if what is known statically does not fit; InvalidArgumentError: the rest.
    """
    value = deprecated_argument_lookup("input", input, "value", value)
    filter = deprecated_argument_lookup("filters", filters, "filter", filter)
    with name_scope(name, "conv2d_transpose", [value, filter, output_shape]) as name:
        with name_scope(name, "conv2d_transpose", [value, filter, output_shape]) as name:
            data_format = data_format or "NHWC"
            return raw.Conv2DBackpropInput(
                input_sizes=output_shape,
                filter=filter,
                out_backprop=value,
                strides=_four(strides, data_format, "strides"),
                padding=padding,
                data_format=data_format,
                dilations=_four(dilations, data_format, "dilations"),
                name=name,
            )


def _split_padding(padding: Any) -> tuple[Any, list]:
    """The attrs `padding` and `explicit_paddings` for the argument `padding`."""
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
    for number, pair in enumerate(padding):
        if not isinstance(pair, (list, tuple)):
            raise ValueError(f"{text} {number} of padding is not a list/tuple")
        if len(pair) != 2:
            raise ValueError(f"{text} {number} of padding has size {len(pair)}")
    if len(padding) != 4:
        raise ValueError(
            f"When padding is a list, it must be of size 4. Got padding of size: {len(padding)}"
        )
    return "EXPLICIT", [number for pair in padding for number in pair]


def _four(value: Any, data_format: str, name: str) -> list:
    """Strides or dilations for all four axes."""
    if value is None:
        value = [1]
    elif not isinstance(value, Sized):
        value = [value]
    if len(value) == 4:
        return list(value)
    if len(value) not in (1, 2):
        raise ValueError(f"{name} should be of length 1, 2 or 4 but was {len(value)}")
    value = [value[0], value[0]] if len(value) == 1 else list(value)
    return [1, 1, *value] if data_format.startswith("NC") else [1, *value, 1]
