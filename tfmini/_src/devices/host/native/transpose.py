"""Copies of transposed arrays, made tile by tile."""

from __future__ import annotations

import math
import struct

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.library import address, function
from tfmini._src.devices.host.threads import run_slices, thread_count

SMALL_COPY_ELEMENTS = 1 << 14  # below, NumPy's copy is as fast
_MIN_PARALLEL_ELEMENTS = 1 << 17
_MAX_ITEM_BYTES = 64  # maximum bytes of a run copied as one item
_MIN_SIDE = 4  # minimum rows or columns; for fewer, NumPy's copy is as fast


def in_order(array: Array) -> Array:
    """Returns `array`, or a C-contiguous copy if numpy would be slow to make one."""
    if (
        not isinstance(array, np.ndarray)
        or array.flags.c_contiguous
        or array.size < SMALL_COPY_ELEMENTS
    ):
        return array
    copied = _copy_transposed(array)
    if copied is None:
        copied = _copy_by_items(array)
    return array if copied is None else copied


def _copy_by_items(array: np.ndarray) -> np.ndarray | None:
    """Copies an array on all threads, with short contiguous last axes, such as channels, as items; or returns None."""
    width = array.shape[-1] * array.itemsize
    if array.dtype.hasobject or array.strides[-1] != array.itemsize or width > _MAX_ITEM_BYTES:
        return None
    items = array.view(f"V{width}")
    result = np.empty(items.shape, items.dtype)

    def work(part: slice) -> None:
        result[part] = items[part]

    run_slices(work, len(items), 0)
    return result.view(array.dtype)


def _copy_transposed(array: np.ndarray) -> np.ndarray | None:
    """Returns a copy of a transposed array of four- or eight-byte numbers; None for other arrays."""
    width = array.itemsize
    if width not in (4, 8) or array.dtype.hasobject or not array.flags.aligned:
        return None
    axes = _merge_axes(array)
    inner_axes = [i for i, (_, distance) in enumerate(axes) if distance == width]
    if len(inner_axes) != 1 or inner_axes[0] == len(axes) - 1:
        return None
    (inner_axis,), last = inner_axes, len(axes) - 1
    if min(axes[inner_axis][0], axes[last][0]) < _MIN_SIDE or any(d % width for _, d in axes):
        return None
    kernel = function(f"copy_in_order_{width}")
    if kernel is None:
        return None
    result = np.empty(array.shape, array.dtype)
    steps = [math.prod(size for size, _ in axes[i + 1 :]) for i in range(len(axes))]
    outer = [i for i in range(last) if i != inner_axis]
    sizes = [axes[i][0] for i in outer]
    distances = [axes[i][1] // width for i in outer]
    layout = np.array([*sizes, *distances, *(steps[i] for i in outer)], np.int64)
    rows, columns = (
        (axes[inner_axis][0], steps[inner_axis]),
        (axes[last][0], axes[last][1] // width),
    )
    packed = struct.pack("6q", *rows, *columns, len(outer), address(layout))
    threads = thread_count() if result.size >= _MIN_PARALLEL_ELEMENTS else 1
    kernel(address(array), address(result), packed, threads)
    return result


def _merge_axes(array: np.ndarray) -> list[tuple[int, int]]:
    """Returns the size and byte stride of each axis longer than one; contiguous neighboring axes are merged."""
    axes: list[tuple[int, int]] = []
    for size, distance in zip(array.shape, array.strides):
        if size == 1:
            continue
        if axes and axes[-1][1] == size * distance:
            size *= axes.pop()[0]
        axes.append((size, distance))
    return axes
