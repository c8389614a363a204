"""Row filters of PNG files."""

from __future__ import annotations

import numpy as np

from tfmini._src.devices.host.native.library import function, is_contiguous


def filter_rows(image: np.ndarray, start: int, end: int, step: int) -> np.ndarray | None:
    """Returns rows of an image with the best filter each, its number first; None if NumPy must filter them.

    Args:
      image: uint8 [rows, bytes].
      start, end: the rows to filter.
      step: the size of a pixel in bytes.
    """
    kernel = function("filter_png_rows")
    if kernel is None or image.dtype != np.uint8 or not is_contiguous(image):
        return None
    rows, size = image.shape
    end = min(end, rows)
    result = np.empty((end - start, 1 + size), np.uint8)
    return result if kernel(image, rows, size, step, start, end, result) else None
