"""Crops of images, resized by bilinear or nearest-neighbour interpolation."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.library import (
    FLOATS,
    SUFFIXES,
    address,
    function,
    in_one_piece,
)
from tfmini._src.devices.host.threads import thread_count

_PARALLEL = 1 << 15  # minimum crop elements for threads
_KINDS = {np.dtype(np.float32): "f32", np.dtype(np.uint8): "u8"}


# [boxes, lines] along an axis: the int64 pixels on both sides of each line, the float32 weight of the second, and
# whether it is inside.
Lines = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def cropped(
    images: Array,
    numbers: Any,
    rows: Lines,
    columns: Lines,
    outside: float,
    result: np.ndarray,
    nearest: bool = False,
) -> bool:
    """Writes crops [boxes, rows, columns, depth] float32 to `result`; False if NumPy does it.

    Args:
      images: [batch, height, width, depth].
      numbers: int32 [boxes], image indices; crops with invalid ones are entirely outside.
      outside: value of pixels outside the image.
      nearest: whether to take the first pixel of each line instead of interpolating.
    """
    if images.dtype not in _KINDS or not in_one_piece(images) or not in_one_piece(result):
        return False
    if not result.size or not _suits(result, images, numbers, rows, columns):
        return False
    kernel = function(f"cropped_{'nearest_' * nearest}{_KINDS[images.dtype]}")
    if kernel is None:
        return False
    numbers = np.ascontiguousarray(numbers, np.int32)
    contiguous = [_in_one_piece(axis) for axis in (rows, columns)]
    lines = [_packed(axis) for axis in contiguous]
    sizes = struct.pack("6q", *images.shape, *result.shape[1:3])
    threads = thread_count() if result.size >= _PARALLEL else 1
    given = sizes, address(images), address(numbers), *lines, float(outside), address(result)
    kernel(*given, len(result), threads)
    return True


def spread_back(
    grads: Array, numbers: Any, rows: Lines, columns: Lines, result: np.ndarray
) -> bool:
    """Writes the gradient of the images to `result`; False if NumPy must compute it.

    Args:
      grads: [boxes, rows, columns, depth] float32.
      numbers: int32 [boxes], image indices; crops with invalid ones are skipped.
      result: [batch, height, width, depth], float32 or float64.
    """
    if result.dtype not in FLOATS or not in_one_piece(result):
        return False
    kernel = function(f"crops_spread_{SUFFIXES[result.dtype]}")
    if kernel is None or not grads.size or grads.dtype != np.float32:
        return False
    if not _suits(grads, result, numbers, rows, columns):
        return False
    grads, numbers = np.ascontiguousarray(grads), np.ascontiguousarray(numbers, np.int32)
    contiguous = [_in_one_piece(axis) for axis in (rows, columns)]
    lines = [_packed(axis) for axis in contiguous]
    sizes = struct.pack("6q", *result.shape, *grads.shape[1:3])
    threads = thread_count() if grads.size >= _PARALLEL else 1
    given = sizes, address(grads), address(numbers), *lines, address(result)
    kernel(*given, len(grads), threads)
    return True


def _suits(crops: Any, images: Array, numbers: Any, rows: Lines, columns: Lines) -> bool:
    """Whether the images and the arguments of the crops have compatible shapes."""
    boxes = len(crops)
    if crops.ndim != 4 or images.ndim != 4 or crops.shape[3] != images.shape[3]:
        return False
    if numbers.shape != (boxes,):
        return False
    lines = zip((rows, columns), crops.shape[1:3])
    return all(part.shape == (boxes, count) for axis, count in lines for part in axis)


def _in_one_piece(axis: Lines) -> list[np.ndarray]:
    return [np.ascontiguousarray(part, kind) for kind, part in zip("qqf?", axis)]


def _packed(axis: list[np.ndarray]) -> bytes:
    return struct.pack("4q", *map(address, axis))
