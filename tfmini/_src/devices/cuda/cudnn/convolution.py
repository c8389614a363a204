"""The description of a convolution, without its values, and the layout of its arrays for cuDNN.

cuDNN pads an axis symmetrically; if TensorFlow pads one side more, the images are first copied between the extra zeros.
cuDNN supports images with channels first or last, and filters in the same layout, [filters, channels, sizes ...] or
[filters, sizes ..., channels]; TensorFlow's filters are [sizes ..., channels, filters].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tfmini._src.base.records import dataclass
from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.cuda.launch import as_contiguous
from tfmini._src.devices.numpy.windows.axes import Axis

FORWARD, INPUT_GRADIENT, FILTER_GRADIENT = "Forward", "BackwardData", "BackwardFilter"
_MAX_ELEMENTS = 1 << 31  # cuDNN descriptors count in 32 bits
_ALIGNMENT = 16  # bytes that the fastest kernels load at a time


@dataclass(frozen=True)
class Convolution:
    """The shapes and settings of a convolution, used as the key of a cached algorithm.

    direction: as in cuDNN's function names.
    dtype: dtype of all arrays: "float16", "float32" or "float64".
    batch, depth, filters: numbers of images, of their channels, and of the channels of the result.
    groups: number of channel groups.
    axes: one per spatial axis, each with equal padding before and after.
    channels_first: whether the node has images [batch, channels, sizes ...].
    """

    direction: str
    dtype: str
    batch: int
    depth: int
    filters: int
    groups: int
    axes: tuple[Axis, ...]
    channels_first: bool

    @property
    def images_shape(self) -> tuple[int, ...]:
        """The shape of the input: [batch, channels, sizes ...]."""
        return (self.batch, self.depth, *(axis.size for axis in self.axes))

    @property
    def result_shape(self) -> tuple[int, ...]:
        """The shape of the convolution: [batch, filters, sizes ...]."""
        return (self.batch, self.filters, *(axis.count for axis in self.axes))

    @property
    def filter_shape(self) -> tuple[int, ...]:
        """The shape of the filter: [filters, channels of a group, sizes ...]."""
        kernels = (axis.kernel for axis in self.axes)
        return (self.filters, self.depth // self.groups, *kernels)

    @property
    def shapes(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The shapes of the operands and of the result."""
        images, filters, result = self.images_shape, self.filter_shape, self.result_shape
        if self.direction == FORWARD:
            return images, filters, result
        if self.direction == INPUT_GRADIENT:
            return filters, result, images
        return images, result, filters

    @property
    def filter_position(self) -> int:
        """The index of the filter in `shapes`."""
        return {FORWARD: 1, INPUT_GRADIENT: 0, FILTER_GRADIENT: 2}[self.direction]

    def is_supported_by_cudnn(self) -> bool:
        """Whether cuDNN's descriptors can express the convolution."""
        if self.dtype not in ("float16", "float32", "float64") or len(self.axes) not in (2, 3):
            return False
        sizes = [int(np.prod(shape, dtype=np.int64)) for shape in self.shapes]
        return 0 < min(sizes) and max(sizes) < _MAX_ELEMENTS


def symmetric_axes(axes: Sequence[Axis]) -> tuple[tuple[Axis, ...], tuple[slice, ...]]:
    """Returns axes with symmetric padding, and the position of the original images within the extra zeros."""
    even_axes, region = [], []
    for axis in axes:
        common = min(axis.before, axis.after)
        size = axis.padded_size - 2 * common
        start = axis.before - common
        even_axes.append(replace(axis, size=size, before=common, after=common))
        region.append(slice(start, start + axis.size))
    return tuple(even_axes), tuple(region)


def to_cudnn_layout(xp: ArrayModule, images: Array, from_first: bool, to_first: bool) -> Array:
    """Returns images with channels first or last, contiguous and aligned for cuDNN."""
    if from_first != to_first:
        images = xp.moveaxis(images, -1, 1) if to_first else xp.moveaxis(images, 1, -1)
    return _as_aligned(as_contiguous(xp, images))


def pad_with_zeros(
    xp: ArrayModule,
    images: Array,
    region: Sequence[slice],
    sizes: Sequence[int],
    channels_first: bool,
) -> Array:
    """Embeds images, channels first or last, at `region` in zeros of these spatial sizes."""
    first = 2 if channels_first else 1
    if images.shape[first : first + len(sizes)] == tuple(sizes):
        return images
    shape = list(images.shape)
    shape[first : first + len(sizes)] = sizes
    padded = xp.zeros(shape, images.dtype)
    padded[_region_index(region, channels_first)] = images
    return padded


def remove_zeros(
    xp: ArrayModule,
    images: Array,
    region: Sequence[slice],
    sizes: Sequence[int],
    channels_first: bool,
) -> Array:
    """Reverses `pad_with_zeros`, with the same arguments."""
    first = 2 if channels_first else 1
    if images.shape[first : first + len(sizes)] == tuple(sizes):
        return images
    return xp.ascontiguousarray(images[_region_index(region, channels_first)])


def to_cudnn_filter(filter: Array, channels_first: bool) -> Array:
    """Returns TensorFlow's filter, [sizes ..., channels, filters], in cuDNN's order."""
    return _as_aligned(filter.transpose(filter_axes(filter.ndim, channels_first)))


def filter_axes(rank: int, channels_first: bool) -> tuple[int, ...]:
    """Returns the axes of TensorFlow's filter in cuDNN's order."""
    if channels_first:
        return (rank - 1, rank - 2, *range(rank - 2))
    return (rank - 1, *range(rank - 1))


def filter_view(filters: Any, channels_first: bool) -> Array:
    """Returns cuDNN's filter as a view in TensorFlow's order."""
    if channels_first:
        axes = (*range(2, filters.ndim), 1, 0)
    else:
        axes = (*range(1, filters.ndim), 0)
    return filters.transpose(axes)


def in_memory(shape: Sequence[int], channels_first: bool) -> tuple[int, ...]:
    """Returns a shape [batch or filters, channels, sizes ...] in memory order."""
    return tuple(shape) if channels_first else (shape[0], *shape[2:], shape[1])


def _region_index(region: Sequence[slice], channels_first: bool) -> tuple[slice, ...]:
    full_slice = slice(None)
    return (
        (full_slice, full_slice, *region) if channels_first else (full_slice, *region, full_slice)
    )


def _as_aligned(array: Any) -> Any:
    if array.flags.c_contiguous and array.data.ptr % _ALIGNMENT == 0:
        return array
    return array.copy()
