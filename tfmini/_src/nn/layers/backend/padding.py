"""Zero padding and resizing of sequences, images and volumes, under the Keras names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.array_functions import (
    permute_dimensions,
    repeat_elements,
)
from tfmini._src.nn.layers.backend.config import image_data_format
from tfmini._src.nn.layers.backend.tensor_values import int_shape
from tfmini._src.nn.layers.windows.window_arguments import spatial_axes
from tfmini._src.ops import ops, raw
from tfmini._src.variables.variable import Variable

_ORDERS = ("channels_first", "channels_last")


def _pad(x: Any, padding: Any, data_format: str | None, count: int) -> Any:
    assert len(padding) == count
    assert all(len(pair) == 2 for pair in padding)
    order = image_data_format() if data_format is None else data_format
    if order not in _ORDERS:
        raise ValueError(f"Unknown data_format: {order}")
    pairs, none = [list(pair) for pair in padding], [0, 0]
    return ops.pad(x, [none, none, *pairs] if order == _ORDERS[0] else [none, *pairs, none])


def temporal_padding(x: Tensor | Variable, padding: Sequence[Any] = (1, 1)) -> Any:
    """Pads sequences [batch, steps, channels] with zero steps before and after.

    Args:
      x: the sequences.
      padding: number of steps before and after.
    """
    assert len(padding) == 2
    return ops.pad(x, [[0, 0], [padding[0], padding[1]], [0, 0]])


def spatial_2d_padding(
    x: Tensor | Variable, padding: Sequence[Any] = ((1, 1), (1, 1)), data_format: str | None = None
) -> Any:
    """Pads images with zeros.

    Args:
      x: [batch, rows, columns, channels], or with "channels_first" [batch, channels, rows, columns].
      padding: number of zeros before and after, per axis.
      data_format: "channels_last" or "channels_first".

    Raises:
      ValueError: for an unsupported data_format.
    """
    return _pad(x, padding, data_format, 2)


def spatial_3d_padding(
    x: Tensor | Variable,
    padding: Sequence[Any] = ((1, 1), (1, 1), (1, 1)),
    data_format: str | None = None,
) -> Any:
    """Pads volumes with zeros.

    Args:
      x: [batch, depth, rows, columns, channels], or with "channels_first" the channels after the batch.
      padding: number of zeros before and after, per axis.
      data_format: "channels_last" or "channels_first".

    Raises:
      ValueError: for an unsupported data_format.
    """
    return _pad(x, padding, data_format, 3)


def resize_images(
    x: Tensor | Variable,
    height_factor: int,
    width_factor: int,
    data_format: str,
    interpolation: str = "nearest",
) -> Any:
    """Enlarges images by integer factors.

    Args:
      x: [batch, rows, columns, channels], or with "channels_first" [batch, channels, rows, columns].
      height_factor, width_factor: the factors.
      data_format: "channels_last" or "channels_first".
      interpolation: "nearest" or "bilinear".

    Raises:
      ValueError: for an unsupported data_format or interpolation.
    """
    if data_format not in _ORDERS:
        raise ValueError(f"Invalid `data_format` argument: {data_format}")
    rows, columns = spatial_axes(data_format, 2)
    original_shape = int_shape(x)
    size = ops.shape(x)[rows : columns + 1]
    size *= ops.constant(np.array([height_factor, width_factor], dtype="int32"))
    first = data_format == _ORDERS[0]
    if first:
        x = permute_dimensions(x, [0, 2, 3, 1])
    if interpolation not in ("nearest", "bilinear"):
        raise ValueError('interpolation should be one of "nearest" or "bilinear".')
    with name_scope("resize"):
        method = raw.ResizeBilinear if interpolation == "bilinear" else raw.ResizeNearestNeighbor
        x = method(x, size, half_pixel_centers=True)
    if first:
        x = permute_dimensions(x, [0, 3, 1, 2])
    sizes: list = [None] * 4
    for axis, factor in ((rows, height_factor), (columns, width_factor)):
        if original_shape is not None and original_shape[axis] is not None:
            sizes[axis] = original_shape[axis] * factor
    x.set_shape(sizes)
    return x


def resize_volumes(
    x: TensorLike, depth_factor: int, height_factor: int, width_factor: int, data_format: str
) -> Any:
    """Repeats each element of volumes along each axis.

    Args:
      x: [batch, depth, rows, columns, channels], or with "channels_first" the channels after the batch.
      depth_factor, height_factor, width_factor: number of repeats.
      data_format: "channels_last" or "channels_first".

    Raises:
      ValueError: for an unsupported data_format.
    """
    if data_format not in _ORDERS:
        raise ValueError(f"Invalid data_format: {data_format}")
    factors = (depth_factor, height_factor, width_factor)
    for axis, factor in zip(spatial_axes(data_format, 3), factors):
        x = repeat_elements(x, factor, axis=axis)
    return x
