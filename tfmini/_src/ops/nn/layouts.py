"""Image layouts; kernels operate on [batch, sizes ..., depth], regardless of the data format of a node."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

import numpy as np

from tfmini._src.devices.concat import concatenate


def widen(array: Any) -> Any:
    """Widens half precision to float32, the accumulation dtype."""
    return array.astype(np.float32) if array.dtype.itemsize == 2 else array


def narrow(dtype: Any, array: Any) -> Any:
    """Converts `array` to the dtype of the result."""
    return array if array.dtype == dtype else array.astype(dtype)


def channels_last(xp: Any, x: Any, channels_first: bool) -> Any:
    """Converts images of either layout to [batch, sizes ..., depth]."""
    return xp.ascontiguousarray(xp.moveaxis(x, 1, -1)) if channels_first else x


def channels_restored(xp: Any, x: Any, channels_first: bool) -> Any:
    """Inverse of `channels_last`."""
    return xp.ascontiguousarray(xp.moveaxis(x, -1, 1)) if channels_first else x


def shape_with_channels_last(shape: tuple[int, ...], channels_first: bool) -> tuple[int, ...]:
    """Returns the shape that `channels_last` returns for images of this shape."""
    return (*shape[:1], *shape[2:], *shape[1:2]) if channels_first else shape


def merge_channels_into_batch(x: Any, channels_first: bool) -> Any:
    """Reshapes [batch, depth, sizes ...] to [batch * depth, sizes ..., 1], for kernels without channel mixing."""
    return x.reshape(x.shape[0] * x.shape[1], *x.shape[2:], 1) if channels_first else x


def split_channels_from_batch(x: Any, template: Any, channels_first: bool) -> Any:
    """Inverse of `merge_channels_into_batch`; `template`: images with the same batch size and depth."""
    return x.reshape(*template.shape[:2], *x.shape[1:-1]) if channels_first else x


def split(x: Any, count: int) -> list:
    """Returns the slices of the last axis for `count` channel groups."""
    if count <= 1:
        return [x]
    step = x.shape[-1] // count
    return [x[..., n * step : (n + 1) * step] for n in range(count)]


def groups(x: Any, filter: Any) -> list[tuple]:
    """Splits x [batch, sizes ..., depth] and its filter into channel groups; returns a list of (channels, filters)."""
    count = x.shape[-1] // max(filter.shape[-2], 1)
    return list(zip(split(x, count), split(filter, count)))


def concatenate_groups(xp: Any, parts: list) -> Any:
    """Concatenates the results of all channel groups."""
    return parts[0] if len(parts) == 1 else concatenate(xp, parts, -1)


def format_axes(value: Any, count: int, data_format: str, name: str) -> Any:
    """Expands a single number, or one number per spatial axis, to one number per axis.

    Args:
      value: the argument to expand; None means 1.
      count: the number of spatial axes.
      data_format: "NC..." for channels before the spatial axes.
      name: the name of the argument, for the error message.
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
    axis_values = [value[0]] * count if len(value) == 1 else list(value)
    return [1, 1, *axis_values] if data_format.startswith("NC") else [1, *axis_values, 1]
