"""Image layouts: kernels operate on [batch, sizes ..., depth], regardless of a node's data format."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

import numpy as np

from tfmini._src.devices.concat import concatenate


def widened(array: Any) -> Any:
    """Half precision widened to float32, the dtype for accumulation."""
    return array.astype(np.float32) if array.dtype.itemsize == 2 else array


def narrowed(dtype: Any, array: Any) -> Any:
    """`array` in the dtype of the result."""
    return array if array.dtype == dtype else array.astype(dtype)


def channels_last(xp: Any, x: Any, channels_first: bool) -> Any:
    """Images in either layout as [batch, sizes ..., depth]."""
    return xp.ascontiguousarray(xp.moveaxis(x, 1, -1)) if channels_first else x


def channels_restored(xp: Any, x: Any, channels_first: bool) -> Any:
    """Inverse of `channels_last`."""
    return xp.ascontiguousarray(xp.moveaxis(x, -1, 1)) if channels_first else x


def shape_with_channels_last(shape: tuple[int, ...], channels_first: bool) -> tuple[int, ...]:
    """Shape of `channels_last` for images of this shape."""
    return (*shape[:1], *shape[2:], *shape[1:2]) if channels_first else shape


def as_planes(x: Any, channels_first: bool) -> Any:
    """Images for kernels without channel mixing: [batch, depth, sizes ...] as [batch * depth, sizes ..., 1]."""
    return x.reshape(x.shape[0] * x.shape[1], *x.shape[2:], 1) if channels_first else x


def from_planes(x: Any, like: Any, channels_first: bool) -> Any:
    """Inverse of `as_planes`; `like`: images of the same batch and depth."""
    return x.reshape(*like.shape[:2], *x.shape[1:-1]) if channels_first else x


def split(x: Any, count: int) -> list:
    """The slices of the last axis for `count` channel groups."""
    if count <= 1:
        return [x]
    step = x.shape[-1] // count
    return [x[..., n * step : (n + 1) * step] for n in range(count)]


def groups(x: Any, filter: Any) -> list[tuple]:
    """(channels, filters) of each channel group of x: [batch, sizes ..., depth]."""
    count = x.shape[-1] // max(filter.shape[-2], 1)
    return list(zip(split(x, count), split(filter, count)))


def joined(xp: Any, parts: list) -> Any:
    """The concatenated results of all channel groups."""
    return parts[0] if len(parts) == 1 else concatenate(xp, parts, -1)


def axes_of_format(value: Any, count: int, data_format: str, name: str) -> Any:
    """Sizes for all axes, from one number, one per spatial axis, or one per axis.

    Args:
      value: the user's argument; None means 1.
      count: the number of spatial axes.
      data_format: "NC..." for channels before the spatial axes.
      name: the argument's name, for the error message.
    """
    if value is None:
        value = [1]
    elif not isinstance(value, Sized):
        value = [value]
    if len(value) == count + 2:
        return value
    if len(value) not in (1, count):
        raise ValueError(
            f"{name} should be of length 1, {count} or {count + 2} but was {len(value)}"
        )
    along = [value[0]] * count if len(value) == 1 else list(value)
    return [1, 1, *along] if data_format.startswith("NC") else [1, *along, 1]
