"""Image resampling by rows and columns: interpolation, nearest neighbor, and their gradients."""

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
    is_contiguous,
)
from tfmini._src.devices.host.threads import thread_count

_MIN_PARALLEL_ELEMENTS = 1 << 15  # minimum elements of the larger images for threads
_MAX_LINE_SIZE = np.iinfo(np.int32).max  # maximum values per line
_KERNEL_SUFFIXES = {np.dtype(np.float32): "f32", np.dtype(np.uint8): "u8"}

# Int32 positions along an axis: (lower, upper, weight), or (positions, weights) of shape [terms, lines].
Between = tuple[np.ndarray, np.ndarray, np.ndarray]
Lines = tuple[np.ndarray, np.ndarray]


def interpolate_images(images: Array, rows: Between, columns: Between, result: np.ndarray) -> bool:
    """Writes bilinearly interpolated float32 images to `result`; returns False if NumPy must compute them."""
    if not images.size or not is_contiguous(result):
        return False
    if images.dtype not in _KERNEL_SUFFIXES or not is_contiguous(images):
        images = np.ascontiguousarray(images, "f")
    kernel = function(f"interpolated_{_KERNEL_SUFFIXES[images.dtype]}")
    batch, height, width, depth = images.shape
    if (
        kernel is None
        or not _sizes_match(result, images, rows[0], columns[0])
        or width * depth > _MAX_LINE_SIZE
    ):
        return False
    sizes = struct.pack("6q", batch, height, width * depth, *result.shape[1:])
    arrays = (images, *rows, *columns, result)
    return bool(kernel(sizes, *map(address, arrays), _threads(result.size)))


def resample_images(images: Array, rows: Lines, columns: Lines, result: np.ndarray) -> bool:
    """Writes float32 weighted sums of rows, then of columns, to `result`; returns False if NumPy must compute them."""
    kernel = function("resampled")
    if kernel is None or not images.size or not result.size or not is_contiguous(result):
        return False
    images = np.ascontiguousarray(images, "f")
    batch, height, width, depth = images.shape
    if (
        not _sizes_match(result, images, rows[0][0], columns[0][0])
        or width * depth > _MAX_LINE_SIZE
    ):
        return False
    positions, weights = columns
    indices = positions[..., None] * np.int32(depth) + np.arange(depth, dtype=np.int32)
    column_pair = indices.reshape(len(positions), -1), np.repeat(weights, depth, axis=1)
    contiguous = [[np.ascontiguousarray(array) for array in pair] for pair in (rows, column_pair)]
    lines = [struct.pack("4q", *map(address, pair), *pair[0].shape) for pair in contiguous]
    sizes = batch, height, width * depth
    args = address(images), address(result), *sizes
    return bool(kernel(*lines, *args, _threads(result.size)))


def nearest(images: Array, rows: np.ndarray, columns: np.ndarray, result: np.ndarray) -> bool:
    """Writes `images[:, rows][:, :, columns]` to `result`; returns False if NumPy must compute it."""
    kernel = function("nearest_pixels")
    if kernel is None or not result.size or not is_contiguous(images) or images.dtype.hasobject:
        return False
    if not _sizes_match(result, images, rows, columns) or result.dtype != images.dtype:
        return False
    batch, height, width, depth = images.shape
    pixel = depth * images.itemsize
    sizes = struct.pack("6q", batch, height, width * pixel, len(rows), len(columns), pixel)
    arrays = images, rows, columns, result
    return bool(kernel(sizes, *map(address, arrays), _threads(result.size)))


def scatter_gradient(grad: Array, rows: Lines, columns: Lines, sizes: tuple[int, int]) -> Any:
    """Returns the gradient with respect to the resampled images, of `sizes`, in the dtype of `grad`.

    Returns None if NumPy must compute it.
    """
    if grad.dtype not in FLOATS or not grad.size or not is_contiguous(grad):
        return None
    if 0 in sizes:
        return None
    kernel = function(f"spread_back_{SUFFIXES[grad.dtype]}")
    if kernel is None or grad.shape[1:3] != (rows[0].shape[1], columns[0].shape[1]):
        return None
    terms = [
        (positions, weights.astype(grad.dtype, copy=False))
        for positions, weights in (rows, columns)
    ]
    batch, depth = len(grad), grad.shape[-1]
    result = np.empty((batch, *sizes, depth), grad.dtype)
    lines = [
        struct.pack("4q", address(positions), address(weights), *positions.shape)
        for positions, weights in terms
    ]
    threads = _threads(max(grad.size, result.size))
    has_run = kernel(*lines, address(grad), address(result), batch, *sizes, depth, threads)
    return result if has_run else None


def _sizes_match(result: np.ndarray, images: Array, rows: np.ndarray, columns: np.ndarray) -> bool:
    """Whether the sizes of the result match these lines of the images."""
    return result.shape == (len(images), len(rows), len(columns), images.shape[3])


def _threads(elements: int) -> int:
    return thread_count() if elements >= _MIN_PARALLEL_ELEMENTS else 1
