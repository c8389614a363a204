"""Parts of images, each pixel between four others."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

import numpy as np

from tfmini.backend.native.library import Pointer, address, function, in_one_piece
from tfmini.backend.threads import thread_count

_INDEX = ctypes.c_int64
_PARALLEL = 1 << 15  # elements of the crops that are divided over threads
_KINDS = {"float32": "f32", "uint8": "u8"}

_TYPES = (
    *(ctypes.c_char_p, Pointer, Pointer, ctypes.c_char_p, ctypes.c_char_p),
    *(ctypes.c_float, Pointer, _INDEX, _INDEX),
)

# [boxes, lines] of one axis: the pixels around each line as int64, its float32 share of the second, whether inside.
Lines = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def cropped(
    images: Any, numbers: Any, rows: Lines, columns: Lines, outside: float, result: np.ndarray
) -> bool:
    """Writes crops [boxes, rows, columns, depth] float32 to `result`; False where numpy does it.

    Args:
      images: [batch, height, width, depth].
      numbers: int32 [boxes], each that of an image.
      outside: stands where a pixel is outside of its image.
    """
    name = images.dtype.name
    if name not in _KINDS or not in_one_piece(images) or not result.size:
        return False
    kernel = function(f"cropped_{_KINDS[name]}", *_TYPES)
    if kernel is None:
        return False
    numbers = np.ascontiguousarray(numbers, np.int32)
    kept = [[_as(kind, part) for kind, part in zip("qqf?", axis)] for axis in (rows, columns)]
    lines = [struct.pack("4q", *map(address, axis)) for axis in kept]
    sizes = struct.pack("5q", *images.shape[1:], *result.shape[1:3])
    threads = thread_count() if result.size >= _PARALLEL else 1
    given = sizes, address(images), address(numbers), *lines, float(outside), address(result)
    kernel(*given, len(result), threads)
    return True


def _as(kind: str, part: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(part, kind)
