"""Images resampled line by line: between lines, copies of lines, gradients spread back."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

import numpy as np

from tfmini.backend.native.library import SUFFIXES, Pointer, address, function, in_one_piece
from tfmini.backend.threads import thread_count

_INDEX = ctypes.c_int64
_PARALLEL = 1 << 15  # elements of the larger images that are divided over threads
# Up to that depth the columns of a line are taken number by number.
_SHALLOW = 7
_MOST_TERMS = 8  # with more of them products of matrices are as fast
_KINDS = {"float32": "f32", "uint8": "u8"}

# Of one axis, int32 the places: (lower, upper, weight), or (places, weights) of shape [terms, lines].
Between = tuple[np.ndarray, np.ndarray, np.ndarray]
Lines = tuple[np.ndarray, np.ndarray]


def interpolated(images: Any, rows: Between, columns: Between, result: np.ndarray) -> bool:
    """Writes images between four pixels each, float32, to `result`; False where numpy does it."""
    if not images.size or not in_one_piece(result):
        return False
    if images.dtype.name not in _KINDS or not in_one_piece(images):
        images = np.ascontiguousarray(images, "f")
    types = (ctypes.c_char_p, *(Pointer,) * 8, _INDEX)
    kernel = function(f"interpolated_{_KINDS[images.dtype.name]}", *types)
    if kernel is None:
        return False
    batch, height, width, depth = images.shape
    left, right, weight = columns
    groups, run = len(left), depth
    if depth <= _SHALLOW:
        each = np.arange(depth, dtype=np.int32)
        left, right = ((at[:, None] * np.int32(depth) + each).ravel() for at in (left, right))
        weight, groups, run = np.repeat(weight, depth), groups * depth, 1
    sizes = struct.pack("6q", batch, height, width * depth, result.shape[1], groups, run)
    arrays = (images, *rows, left, right, weight, result)
    kernel(sizes, *map(address, arrays), _threads(result.size))
    return True


def resampled(images: Any, rows: Lines, columns: Lines, result: np.ndarray) -> bool:
    """Writes images whose rows, then columns are weighted sums, float32, to `result`; False where numpy does it."""
    kernel = function(
        "resampled", ctypes.c_char_p, ctypes.c_char_p, *(Pointer,) * 2, *(_INDEX,) * 4
    )
    if kernel is None or not images.size or not result.size or not in_one_piece(result):
        return False
    if max(len(rows[0]), len(columns[0])) > _MOST_TERMS:
        return False
    images = np.ascontiguousarray(images, "f")
    batch, height, width, depth = images.shape
    places, weights = columns
    numbers = places[..., None] * np.int32(depth) + np.arange(depth, dtype=np.int32)
    wide = numbers.reshape(len(places), -1), np.repeat(weights, depth, axis=1)
    kept = [[np.ascontiguousarray(each) for each in pair] for pair in (rows, wide)]
    lines = [struct.pack("4q", *map(address, pair), *pair[0].shape) for pair in kept]
    sizes = batch, height, width * depth
    kernel(*lines, address(images), address(result), *sizes, _threads(result.size))
    return True


def nearest(images: Any, rows: np.ndarray, columns: np.ndarray, result: np.ndarray) -> bool:
    """Writes `images[:, rows][:, :, columns]` to `result`; False where numpy does it."""
    kernel = function("nearest_pixels", ctypes.c_char_p, *(Pointer,) * 4, _INDEX)
    if kernel is None or not result.size or not in_one_piece(images) or images.dtype.hasobject:
        return False
    batch, height, width, depth = images.shape
    pixel = depth * images.itemsize
    sizes = struct.pack("6q", batch, height, width * pixel, len(rows), len(columns), pixel)
    kernel(sizes, *map(address, (images, rows, columns, result)), _threads(result.size))
    return True


def spread_back(grad: Any, rows: Lines, columns: Lines, sizes: tuple[int, int]) -> Any:
    """Images of `sizes`, whose lines have what those of the gradient say times the weights, in the gradient's dtype.

    None where numpy computes it.
    """
    name = grad.dtype.name
    if name not in ("float32", "float64") or not grad.size or not in_one_piece(grad):
        return None
    if max(len(rows[0]), len(columns[0])) > _MOST_TERMS:
        return None
    types = (ctypes.c_char_p, ctypes.c_char_p, Pointer, Pointer, *(_INDEX,) * 5)
    kernel = function(f"spread_back_{SUFFIXES[name]}", *types)
    if kernel is None:
        return None
    kept = [(places, weights.astype(grad.dtype, copy=False)) for places, weights in (rows, columns)]
    batch, depth = len(grad), grad.shape[-1]
    result = np.empty((batch, *sizes, depth), grad.dtype)
    lines = [
        struct.pack("4q", address(places), address(weights), *places.shape)
        for places, weights in kept
    ]
    threads = _threads(max(grad.size, result.size))
    kernel(*lines, address(grad), address(result), batch, *sizes, depth, threads)
    return result


def _threads(elements: int) -> int:
    return thread_count() if elements >= _PARALLEL else 1
