"""Conversion between RGB and HSV, and contrast adjustment."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tfmini._src.devices.host.native.library import address, function, is_contiguous
from tfmini._src.devices.host.threads import thread_count

_CONVERSIONS = (
    "hsv_of_rgb",
    "rgb_of_hsv",
    "hue_shifted",
    "saturation_scaled",
)  # in the kernel's order
_CONTRAST_BLOCK = 192  # number of values that the contrast kernel processes together
_MIN_PARALLEL_PIXELS = 1 << 13


def convert_colors(name: str, pixels: np.ndarray, amount: Any = 0.0) -> np.ndarray | None:
    """Converts float32 pixels [..., 3] by "hsv_of_rgb", "rgb_of_hsv", "hue_shifted" or "saturation_scaled"; None if
    NumPy must convert them.

    Args:
      amount: a float, the hue shift or the saturation factor.
    """
    if pixels.dtype != np.float32 or not pixels.size or not is_contiguous(pixels):
        return None
    kernel = function("convert_colors")
    if kernel is None:
        return None
    result = np.empty_like(pixels)
    count = pixels.size // 3
    threads = thread_count() if count >= _MIN_PARALLEL_PIXELS else 1
    args = address(pixels), address(result), count, float(amount), threads
    kernel(_CONVERSIONS.index(name), *args)
    return result


def adjust_contrast(images: np.ndarray, factor: Any) -> np.ndarray | None:
    """Scales deviations from channel means of float32 [..., height, width, channels]; None if NumPy must compute it."""
    depth = images.shape[-1]
    if (
        images.dtype != np.float32
        or not images.size
        or not is_contiguous(images)
        or _CONTRAST_BLOCK % depth
    ):
        return None
    kernel = function("adjust_contrast")
    if kernel is None:
        return None
    result = np.empty_like(images)
    size = math.prod(images.shape[-3:])
    threads = thread_count() if images.size >= 3 * _MIN_PARALLEL_PIXELS else 1
    args = images.size // size, size, depth, float(factor), threads
    kernel(address(images), address(result), *args)
    return result
