"""Pooling windows: validated attrs and the resulting sizes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tfmini._src.base.errors import UnimplementedError, invalid
from tfmini._src.base.records import dataclass
from tfmini._src.devices.numpy.windows.axes import Axis
from tfmini._src.graph.shape_inference import Dims, InferenceError, with_rank
from tfmini._src.ops.nn.convolution.conv_windows import ConvWindows, static_count, window_axes


@dataclass(frozen=True)
class Pooling:
    """The windows of a pooling node over an input.

    axes: rows and columns; depth: the channels per window, 1 for spatial windows.
    """

    axes: tuple[Axis, Axis]
    depth: int


def node_windows(
    ksize: Sequence[int], strides: Sequence[int], padding: str, channels_first: bool
) -> ConvWindows:
    """Returns the attrs of a node after the checks that TensorFlow performs when it constructs the kernel."""
    for attr_name, values in (("ksize", ksize), ("stride", strides)):
        if len(values) != 4:
            invalid(f"Sliding window {attr_name} field must specify 4 dimensions")
    if ksize[0] != 1 or strides[0] != 1:
        raise UnimplementedError(None, None, "Pooling is not yet supported on the batch dimension.")
    axes = (2, 3) if channels_first else (1, 2)
    return ConvWindows(
        tuple(strides[a] for a in axes), (1, 1), padding, ((0, 0), (0, 0)), channels_first
    )


def check_ksize(ksize: Sequence[int]) -> None:
    """Raises an error for window sizes that are not positive."""
    for axis, size in enumerate(ksize):
        if size < 1:
            invalid(f"Sliding window ksize for dimension {axis} was zero.")


def input_windows(
    shape: Sequence[int], ksize: Sequence[int], strides: Sequence[int], windows: ConvWindows
) -> Pooling:
    """Returns the windows over an input with this shape."""
    if len(shape) != 4:
        invalid(f"tensor_in_shape must have 2 spatial dimensions. {len(shape)} 0")
    channel = windows.channel_axis
    depth, step = ksize[channel], strides[channel]
    rows, columns = windows.spatial(ksize)
    if depth != 1:
        if depth < 1:  # TensorFlow would divide by 0
            invalid(f"Sliding window ksize for dimension {channel} was {depth}.")
        if (rows, columns) != (1, 1):
            _raise_unimplemented(
                "MaxPooling supports exactly one of pooling across depth or pooling across width/height."
            )
        if shape[channel] % depth:
            _raise_unimplemented(
                "Depthwise max pooling requires the depth window to evenly divide the input depth"
            )
        if depth != step:
            _raise_unimplemented(
                "Depthwise max pooling requires the depth window to equal the depth stride"
            )
    first, second = window_axes(windows, windows.spatial(shape), (rows, columns))
    return Pooling((first.clip(), second.clip()), depth)


@lru_cache(maxsize=1024)
def pooling_over(
    shape: tuple[int, ...],
    ksize: tuple[int, ...],
    strides: tuple[int, ...],
    padding: str,
    channels_first: bool,
) -> Pooling:
    """Returns the windows of a node with these attrs over an input with this shape."""
    windows = node_windows(ksize, strides, padding, channels_first)
    return input_windows(shape, ksize, strides, windows)


def check_gradient(
    pooling: Pooling, shape: Sequence[int], grad: Sequence[int], second: bool = False
) -> None:
    """Raises an error unless the gradient has the shape of the result, or at second order the image `shape`.

    TensorFlow would read out of bounds.
    """
    if pooling.depth != 1:
        _raise_unimplemented("MaxPoolingGrad is not yet supported on the depth dimension.")
    rows, columns = pooling.axes
    expected = tuple(shape) if second else (shape[0], rows.count, columns.count, shape[3])
    if tuple(grad) != expected:
        invalid(f"out_backprop must have the shape {list(expected)}, not {list(grad)}")


def check_ranks(rank: int, **arrays: Any) -> None:
    """Raises an error unless all arrays, keyed by their names in TensorFlow's errors, have this rank."""
    for role, array in arrays.items():
        if array.ndim != rank:
            invalid(f"{role} must be {rank}-dimensional")


def check_pooled(pooled: Sequence[int], images: Sequence[int], axes: Sequence[Any]) -> None:
    """Raises an error unless `pooled` is the shape of the result; TensorFlow reads out of bounds instead."""
    expected = (images[0], *(axis.count for axis in axes), images[-1])
    if tuple(pooled) != expected:
        invalid(f"tensor_out must have the shape {list(expected)}, not {list(pooled)}")


def check_on_cpu(name: str, data_format: str) -> None:
    """Raises the errors of TensorFlow's CPU kernels."""
    if data_format != "NHWC":
        invalid(f"Default {name} only supports NHWC on device type CPU")


def _raise_unimplemented(text: str) -> None:
    raise UnimplementedError(None, None, text)


def static_shape(op: Any) -> Dims:
    """Returns the shape rule of MaxPool, its second-order gradient, and AvgPool."""
    op_name = "AvgPool" if op.opdef.name == "AvgPool" else "MaxPool"
    return pooled_dims(
        op_name,
        op.inputs[0]._dims,
        op.attrs["ksize"],
        op.attrs["strides"],
        op.attrs["padding"],
        op.attrs.get("data_format", "NHWC"),
    )


def pooled_dims(
    op_name: str,
    dims: Dims,
    ksize: Sequence[int],
    strides: Sequence[int],
    padding: str,
    data_format: str,
) -> Dims:
    """Returns the static shape after pooling over rows, columns and, for "MaxPool", channels."""
    dims = with_rank(dims, 5 if data_format == "NCHW_VECT_C" else 4)
    for attr_name, values in (("stride", strides), ("ksize", ksize)):
        if len(values) != 4:
            raise InferenceError(
                f"{op_name} requires the {attr_name} attribute to contain 4 values, but got: {len(values)}"
            )
    channel = 3 if data_format == "NHWC" else 1
    counts = [
        dims[axis]
        if axis == 0 or axis == channel and op_name == "AvgPool"
        else static_count(dims[axis], ksize[axis], strides[axis], 1, 0, padding == "SAME")
        for axis in range(4)
    ]
    return (*counts, *dims[4:])
