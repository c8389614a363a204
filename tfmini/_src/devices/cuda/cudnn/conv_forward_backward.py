"""Convolutions on a GPU and their gradients, computed by cuDNN; None if cuDNN is not found or has no algorithm.

Images are [batch, sizes ..., channels], or [batch, channels, sizes ...] with `channels_first`; filters [sizes ...,
channels of a group, filters]. The number of groups is the image channels divided by the filter's channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.cuda.cudnn.convolution import (
    FILTER_GRADIENT,
    FORWARD,
    INPUT_GRADIENT,
    Convolution,
    pad_with_zeros,
    remove_zeros,
    symmetric_axes,
)
from tfmini._src.devices.numpy.windows.axes import Axis


def convolve(gpu: Any, x: Array, filter: Array, axes: Sequence[Axis], channels_first: bool) -> Any:
    """Returns the convolution of images with filters."""
    choices = gpu.convolutions
    if choices is None:
        return None
    even_axes, region = symmetric_axes(axes)
    depth = x.shape[1 if channels_first else -1]
    convolution = _convolution(FORWARD, x, depth, filter.shape, even_axes, channels_first)
    if convolution is None:
        return None
    padded = pad_with_zeros(gpu.xp, x, region, _axis_sizes(even_axes), channels_first)
    return choices.run(convolution, (padded, filter))


def input_gradient(
    gpu: Any, depth: int, filter: Array, grad: Array, axes: Sequence[Axis], channels_first: bool
) -> Any:
    """Returns the gradient with respect to the images, with `depth` channels, given the gradient of the convolution."""
    choices = gpu.convolutions
    if choices is None:
        return None
    even_axes, region = symmetric_axes(axes)
    convolution = _convolution(INPUT_GRADIENT, grad, depth, filter.shape, even_axes, channels_first)
    if convolution is None:
        return None
    result = choices.run(convolution, (filter, grad))
    if result is None:
        return None
    return remove_zeros(gpu.xp, result, region, [axis.size for axis in axes], channels_first)


def filter_gradient(
    gpu: Any,
    x: Array,
    shape: Sequence[int],
    grad: Array,
    axes: Sequence[Axis],
    channels_first: bool,
    as_view: bool = False,
) -> Any:
    """Returns the gradient with respect to the filters, given the convolution's; with `as_view`, in cuDNN's layout."""
    choices = gpu.convolutions
    if choices is None:
        return None
    even_axes, region = symmetric_axes(axes)
    depth = x.shape[1 if channels_first else -1]
    convolution = _convolution(FILTER_GRADIENT, x, depth, shape, even_axes, channels_first)
    if convolution is None:
        return None
    padded = pad_with_zeros(gpu.xp, x, region, _axis_sizes(even_axes), channels_first)
    return choices.run(convolution, (padded, grad), as_view)


def _axis_sizes(axes: Sequence[Axis]) -> list[int]:
    return [axis.size for axis in axes]


def _convolution(
    direction: str,
    images: Array,
    depth: int,
    filter: Sequence[int],
    axes: tuple[Axis, ...],
    channels_first: bool,
) -> Convolution | None:
    """Returns the convolution to compute; None if cuDNN does not support it."""
    group_depth, filters = filter[-2:]
    if not group_depth or depth % group_depth or not depth or filters % (depth // group_depth):
        return None
    convolution = Convolution(
        direction=direction,
        dtype=images.dtype.name,
        batch=images.shape[0],
        depth=depth,
        filters=filters,
        groups=depth // group_depth,
        axes=axes,
        channels_first=channels_first,
    )
    return convolution if convolution.is_supported_by_cudnn() else None
