"""Convolution windows: validated attrs, and the resulting static and run-time sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.base.records import dataclass
from tfmini._src.devices.numpy.windows.axes import Axis
from tfmini._src.graph.shape_inference import (
    Dims,
    InferenceError,
    input_dims,
    unknown_dims,
    with_rank,
)
from tfmini._src.ops.operands import check_not_negative, shape_text


@dataclass(frozen=True)
class ConvWindows:
    """Attrs of a convolution over two or three axes, in the order (planes,) rows, columns."""

    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    padding: str
    pads: tuple[tuple[int, int], ...]  # explicit padding
    channels_first: bool

    @property
    def channel_axis(self) -> int:
        return 1 if self.channels_first else len(self.strides) + 1

    def spatial(self, dims: Sequence) -> tuple:
        """Returns the spatial dims of an input, excluding batch and channels."""
        return tuple(dims[2:] if self.channels_first else dims[1:-1])


def padding_error(padding: str, pads: Sequence[int], channels_first: bool) -> str | None:
    """Returns TensorFlow's error message for explicit paddings; None if they are valid."""
    if padding != "EXPLICIT":
        if pads:
            return (
                "explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT"
            )
        return None
    if len(pads) != 8:
        return f"explicit_paddings attribute must contain 8 values, but got: {len(pads)}"
    if min(pads) < 0:
        return "All elements of explicit_paddings must be nonnegative"
    channel = 2 if channels_first else 6
    if any((*pads[:2], *pads[channel : channel + 2])):
        return "Nonzero explicit padding in the batch or depth dimensions is not supported"
    return None


def node_windows(
    strides: Sequence[int],
    dilations: Sequence[int],
    padding: str,
    pads: Sequence[int],
    data_format: str,
) -> ConvWindows:
    """Returns the attrs of a node after the checks that TensorFlow performs when it constructs the kernel."""
    return _conv2d_windows(tuple(strides), tuple(dilations), padding, tuple(pads), data_format)


@lru_cache(maxsize=256)
def _conv2d_windows(
    strides: tuple[int, ...],
    dilations: tuple[int, ...],
    padding: str,
    pads: tuple[int, ...],
    data_format: str,
) -> ConvWindows:
    channels_first = data_format == "NCHW"
    axes = (2, 3) if channels_first else (1, 2)
    channel = 1 if channels_first else 3
    for field, values in (("strides", strides), ("dilations", dilations)):
        if len(values) != 4:
            invalid(f"Sliding window {field} field must specify 4 dimensions")
        if values[0] != 1 or values[channel] != 1:
            invalid(
                f"Current implementation does not yet support {field} in the batch and depth "
                "dimensions."
            )
    if min(strides) < 1:
        invalid("Row and column strides should be larger than 0.")
    if min(dilations) < 1:
        invalid("Dilated rates should be larger than 0.")
    wrong = padding_error(padding, pads, channels_first)
    if wrong:
        invalid(wrong)
    explicit_pads = tuple((pads[2 * a], pads[2 * a + 1]) if pads else (0, 0) for a in axes)
    return ConvWindows(
        tuple(strides[a] for a in axes),
        tuple(dilations[a] for a in axes),
        padding,
        explicit_pads,
        channels_first,
    )


def window_axes(windows: ConvWindows, sizes: Sequence[int], kernels: Sequence[int]) -> list[Axis]:
    """Returns the axes for these input sizes and filter sizes."""
    axis_settings = zip(sizes, kernels, windows.strides, windows.dilations, windows.pads)
    return [_window_axis(windows.padding, *settings) for settings in axis_settings]


@lru_cache(maxsize=1024)
def _window_axis(
    padding: str, size: int, kernel: int, stride: int, dilation: int, pads: tuple[int, int]
) -> Axis:
    if stride <= 0:
        invalid(f"Stride must be > 0, but got {stride}")
    extent = (kernel - 1) * dilation + 1
    if padding == "SAME":
        count = -(-size // stride)
        missing = max((count - 1) * stride + extent - size, 0)
        before, behind = missing // 2, missing - missing // 2
    else:
        before, behind = pads
        count = int((size + before + behind - extent + stride) / stride)  # rounded toward 0
    if count < 0:
        invalid(
            f"Computed output size would be negative: {count} [input_size: {size}, "
            f"effective_filter_size: {extent}, stride: {stride}]"
        )
    return Axis(size, kernel, stride, dilation, before, behind, count)


def check_gradient(
    label: str, windows: ConvWindows, x: Sequence[int], filter: Sequence[int], grad: Sequence[int]
) -> tuple[Axis, ...]:
    """Returns the axes of a convolution gradient from its three shapes; `label` is the name of the kernel."""
    return _gradient_axes(label, windows, tuple(x), tuple(filter), tuple(grad))


@lru_cache(maxsize=1024)
def _gradient_axes(
    label: str,
    windows: ConvWindows,
    x: tuple[int, ...],
    filter: tuple[int, ...],
    grad: tuple[int, ...],
) -> tuple[Axis, ...]:
    rank = len(windows.strides) + 2
    for tensor_name, shape in (("input", x), ("filter", filter), ("out_backprop", grad)):
        if len(shape) != rank:
            invalid(f"{label}: {tensor_name} must be {rank}-dimensional")
    if x[0] != grad[0]:
        invalid(
            f"{label}: input and out_backprop must have the same batch sizeinput batch: {x[0]}"
            f"outbackprop batch: {grad[0]} batch_dim: 0"
        )
    channel = windows.channel_axis
    if x[channel] and x[channel] % max(filter[-2], 1):
        invalid(f"{label}: input depth must be evenly divisible by filter depth")
    if filter[-1] != grad[channel]:
        invalid(f"{label}: filter and out_backprop must have the same out_depth")
    axes = window_axes(windows, windows.spatial(x), filter[:-2])
    for index, (axis, actual) in enumerate(zip(axes, windows.spatial(grad))):
        if axis.count != actual:
            invalid(
                f"{label}: Size of out_backprop doesn't match computed: actual = {actual}, computed "
                f"= {axis.count} spatial_dim: {index + (2 if windows.channels_first else 1)} "
                f"input: {axis.size} filter: {axis.kernel} output: {actual} stride: {axis.stride} "
                f"dilation: {axis.dilation}"
            )
    return tuple(axes)


def check_forward(
    windows: ConvWindows, x: Sequence[int], filter: Sequence[int]
) -> tuple[Axis, ...]:
    """Returns the rows and columns of a convolution for these input and filter shapes."""
    return _forward_axes(windows, tuple(x), tuple(filter))


@lru_cache(maxsize=1024)
def _forward_axes(
    windows: ConvWindows, x: tuple[int, ...], filter: tuple[int, ...]
) -> tuple[Axis, ...]:
    if len(x) != 4:
        invalid(f"input must be 4-dimensional{shape_text(tuple(x))}")
    if len(filter) != 4:
        invalid(f"filter must be 4-dimensional: {shape_text(tuple(filter))}")
    depth = x[windows.channel_axis]
    if depth and depth % max(filter[2], 1):
        invalid(f"input depth must be evenly divisible by filter depth: {depth} vs {filter[2]}")
    return tuple(window_axes(windows, windows.spatial(x), filter[:2]))


def check_cpu_forward(windows: ConvWindows, depth: int, filter_depth: int) -> None:
    """Raises the errors of TensorFlow's CPU kernel."""
    if windows.channels_first:
        raise UnimplementedError(
            None,
            None,
            "The Conv2D op currently only supports the NHWC tensor format on the CPU. The op was "
            "given the format: NCHW",
        )
    if depth != filter_depth:
        raise UnimplementedError(
            None,
            None,
            "The Conv2D op currently does not support grouped convolutions on the CPU. A grouped "
            f"convolution was attempted to be run because the input depth of {depth} does not "
            f"match the filter input depth of {filter_depth}",
        )


def shape_argument(sizes: Any, argument: str) -> tuple[int, ...]:
    """Converts a shape tensor to a tuple."""
    if np.ndim(sizes) != 1:
        invalid(f"{argument} input must be 1-dim, not {np.ndim(sizes)}")
    shape = tuple(sizes.tolist())
    check_not_negative(shape)
    return shape


# Static shapes ---------------------------------------------------------------------------------------


def static_shape(op: Any) -> Dims:
    """Returns the shape rule of Conv2D: [batch, rows, columns, filters] in the order of its data_format."""
    channels_first = op.attrs["data_format"] == "NCHW"
    x = with_rank(op.inputs[0]._dims, 4)
    filter = with_rank(op.inputs[1]._dims, 4)
    strides, dilations = op.attrs["strides"], op.attrs["dilations"]
    if len(dilations) != 4:
        raise InferenceError(
            f"Conv2D requires the dilation attribute to contain 4 values, but got: {len(dilations)}"
        )
    if len(strides) != 4:
        raise InferenceError(
            f"Conv2D on data format {op.attrs['data_format']} requires the stride attribute to "
            f"contain 4 values, but got: {len(strides)}"
        )
    channel, first = (1, 2) if channels_first else (3, 1)
    check_groups(x[channel], filter[2], filter[3])
    padding, pads = op.attrs["padding"], op.attrs["explicit_paddings"]
    wrong = padding_error(padding, pads, channels_first)
    if wrong:
        raise InferenceError(wrong)
    counts = []
    for index in range(2):
        axis = first + index
        total_padding = pads[2 * axis] + pads[2 * axis + 1] if pads else 0
        counts.append(
            static_count(
                x[axis],
                filter[index],
                strides[axis],
                dilations[axis],
                total_padding,
                padding == "SAME",
            )
        )
    if channels_first:
        return (x[0], filter[3], *counts)
    return (x[0], *counts, filter[3])


def check_groups(depth: int | None, filter_depth: int | None, filters: int | None) -> None:
    """Raises an error for static depths that cannot be split into channel groups."""
    if depth is None or not filter_depth:
        return
    if depth % filter_depth:
        raise InferenceError(
            f"Depth of input ({depth}) is not a multiple of input depth of filter ({filter_depth})"
        )
    groups = depth // filter_depth
    if groups > 1 and filters is not None and filters % groups:
        raise InferenceError(
            f"Depth of output ({filters}) is not a multiple of the number of groups ({groups})"
        )


def static_count(
    size: int | None,
    kernel: int | None,
    stride: int,
    dilation: int,
    total_padding: int,
    is_same: bool,
) -> int | None:
    if stride <= 0:
        raise InferenceError(f"Stride must be > 0, but got {stride}")
    if dilation < 1:
        raise InferenceError(f"Dilation rate must be >= 1, but got {dilation}")
    if size is None:
        return None
    if is_same:
        return -(-size // stride)
    if kernel is None:
        return None
    extent = (kernel - 1) * dilation + 1
    if size + total_padding < extent:
        raise InferenceError(
            f"Negative dimension size caused by subtracting {extent} from {size + total_padding}"
        )
    return (size + total_padding - extent + stride) // stride


def shape_from_input(index: int, rank: int) -> Callable[[Any], Dims]:
    """Returns the shape rule for a result whose shape is the value of input `index`."""

    def rule(op: Any) -> Dims:
        vector = op.inputs[index]._dims
        if vector is not None and len(vector) == 1 and vector[0] is not None:
            # By rank, before any size is read.
            with_rank(unknown_dims(vector[0]), rank)
        return with_rank(input_dims(op, index), rank)

    return rule
