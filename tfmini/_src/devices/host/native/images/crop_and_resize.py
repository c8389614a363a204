"""Crops of images, resized by bilinear or nearest-neighbor interpolation."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array
from tfmini._src.devices.host.native.library import FLOATS, SUFFIXES, function, is_contiguous
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_ELEMENTS = 1 << 15
_LINE = 3  # int64 words of the kernels' Line
_KERNEL_SUFFIXES = {np.dtype(np.float32): "f32", np.dtype(np.uint8): "u8"}


def crop_boxes(
    images: Array,
    boxes: Any,
    indices: Any,
    size: tuple[int, ...],
    fill_value: float,
    is_nearest: bool = False,
) -> np.ndarray | None:
    """Crops boxes to float32 [boxes, rows, columns, depth]; None if NumPy must compute it, or an index is invalid.

    Args:
      images: [batch, height, width, depth].
      boxes: float32 [boxes, 4], corners y1, x1, y2, x2.
      indices: int32 [boxes], image indices.
      size: rows and columns of each crop.
      fill_value: value of pixels outside the image.
      is_nearest: whether to use the nearest pixel instead of interpolating.
    """
    if images.dtype not in _KERNEL_SUFFIXES:
        return None
    kernel = function(f"cropped_{_KERNEL_SUFFIXES[images.dtype]}")
    if kernel is None:
        return None
    result = np.empty((len(indices), *size, images.shape[3]), np.float32)
    if not _is_supported(result, images, boxes, indices):
        return None
    args = images, boxes, indices, float(fill_value), result, len(result), is_nearest
    in_range = kernel(_pack_sizes(images, result), *args, _buffer(result), _threads(result))
    return result if in_range else None


def scatter_gradient(
    grads: Array,
    boxes: Any,
    indices: Any,
    shape: tuple[int, ...],
    dtype: np.dtype,
    is_nearest: bool = False,
) -> np.ndarray | None:
    """Returns the gradient of images of this shape, float32 or float64, from the crops' gradients at adjacent pixels;
    None if NumPy must compute it, or an index is invalid.

    Args:
      grads: [boxes, rows, columns, depth] float32.
      boxes, indices, is_nearest: as in `crop_boxes`.
    """
    if dtype not in FLOATS or min(shape) < 0:
        return None
    kernel = function(f"crops_spread_{SUFFIXES[dtype]}")
    if kernel is None:
        return None
    result = np.empty(shape, dtype)
    if not _is_supported(grads, result, boxes, indices):
        return None
    args = grads, boxes, indices, result, len(grads), is_nearest
    in_range = kernel(_pack_sizes(result, grads), *args, _buffer(grads), _threads(grads))
    return result if in_range else None


def box_gradients(grads: Array, images: Array, boxes: Any, indices: Any) -> np.ndarray | None:
    """Returns gradients [boxes, 4] of the corners of interpolated crops; None if NumPy must compute or reject them."""
    if images.dtype not in _KERNEL_SUFFIXES or not _is_supported(grads, images, boxes, indices):
        return None
    kernel = function(f"box_gradients_{_KERNEL_SUFFIXES[images.dtype]}")
    if kernel is None:
        return None
    result = np.empty(boxes.shape, np.float32)
    args = grads, images, boxes, indices, result, len(grads)
    return (
        result
        if kernel(_pack_sizes(images, grads), *args, _buffer(grads), _threads(grads))
        else None
    )


def _is_supported(crops: Any, images: Array, boxes: Any, indices: Any) -> bool:
    """Whether the kernels accept these arrays, whose shapes are compatible, and `crops` is not empty."""
    if crops.ndim != 4 or images.ndim != 4 or crops.shape[3] != images.shape[3] or not crops.size:
        return False
    count = len(crops)
    if boxes.shape != (count, 4) or indices.shape != (count,):
        return False
    if not crops.dtype == boxes.dtype == np.float32 or indices.dtype != np.int32:
        return False
    return all(map(is_contiguous, (crops, images, boxes, indices)))


def _pack_sizes(images: Array, crops: Array) -> bytes:
    return struct.pack("6q", *images.shape, *crops.shape[1:3])


def _buffer(crops: Array) -> np.ndarray:
    boxes, rows, columns, _ = crops.shape
    return np.empty(boxes * (rows + columns) * _LINE, np.int64)


def _threads(crops: Array) -> int:
    return thread_count() if crops.size >= _MIN_PARALLEL_ELEMENTS else 1
