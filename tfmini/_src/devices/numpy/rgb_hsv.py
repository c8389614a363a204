"""Colours of pixels: RGB and HSV along the last axis, as TensorFlow's kernels compute them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.host.native.colours import converted

# Pixels converted at a time, to fit the cache.
_BLOCK = 1 << 14


def hsv_of_rgb(xp: ArrayModule, rgb: Array) -> Array:
    """[..., 3] RGB to hue, saturation and value; the hue from 0 to 1."""
    return _converted(xp, "hsv_of_rgb", _hsv, rgb)


def rgb_of_hsv(xp: ArrayModule, hsv: Array) -> Array:
    """[..., 3] HSV to RGB."""
    return _converted(xp, "rgb_of_hsv", _rgb, hsv)


def hue_shifted(xp: ArrayModule, rgb: Array, delta: Array) -> Array:
    """RGB with `delta` added to the hue, which wraps from 1 to 0."""

    def shifted(xp: ArrayModule, rgb: Array, out: Array) -> None:
        hsv = xp.empty_like(rgb)
        _hsv(xp, rgb, hsv)
        hue, value = hsv[:, 0] + delta, hsv[:, 2]
        least = xp.minimum(xp.minimum(rgb[:, 0], rgb[:, 1]), rgb[:, 2])
        hue -= xp.floor(hue)
        for channel, part in enumerate(_shares(xp, hue)):
            out[:, channel] = least + (value - least) * part

    return _converted(xp, "hue_shifted", shifted, rgb, delta)


def saturation_scaled(xp: ArrayModule, rgb: Array, scale: Any) -> Array:
    """RGB with the saturation multiplied by `scale`, and limited to [0, 1]; rounded as AdjustSaturation does."""

    def scaled(xp: ArrayModule, rgb: Array, out: Array) -> None:
        hsv = xp.empty_like(rgb)
        _hsv(xp, rgb, hsv, adjusts=True)
        scalar = rgb.dtype.type
        one, value, hue = scalar(1), hsv[:, 2], hsv[:, 0] * scalar(6)
        span = xp.minimum(one, xp.maximum(scalar(0), hsv[:, 1] * scale)) * value
        red, green, blue = _shares(xp, hsv[:, 0])
        green = xp.where(hue < one, one - xp.abs(hue - one), green)
        for channel, part in enumerate((red, green, blue)):
            out[:, channel] = (value - span) + span * part

    return _converted(xp, "saturation_scaled", scaled, rgb, scale)


def _converted(xp: ArrayModule, name: str, work: Any, pixels: Array, amount: Any = 0.0) -> Array:
    """Pixels converted by the kernel of this name, or block by block by `work(xp, pixels, out)`."""
    output = converted(name, pixels, amount) if xp is np else None
    if output is not None:
        return output
    result = xp.empty(pixels.shape, pixels.dtype)
    flat, into = pixels.reshape(-1, 3), result.reshape(-1, 3)
    step = _BLOCK if xp.__name__ == "numpy" else max(len(flat), 1)
    for start in range(0, len(flat), step):
        work(xp, flat[start : start + step], into[start : start + step])
    return result


def _hsv(xp: ArrayModule, rgb: Array, out: Array, adjusts: bool = False) -> None:
    """RGB to HSV; `adjusts` as AdjustSaturation rounds, not as RGBToHSV does."""
    scalar = rgb.dtype.type
    wide = np.float64 if adjusts else scalar
    red, green, blue = rgb[:, 0], rgb[:, 1], rgb[:, 2]
    value = xp.maximum(xp.maximum(red, green), blue)
    span = value - xp.minimum(xp.minimum(red, green), blue)
    one, none = scalar(1), scalar(0)
    coloured = span > 0
    some = xp.where(coloured, span, one)
    norm = one / (scalar(6) * some) if adjusts else (one / some) * (one / scalar(6))
    hue = xp.where(
        red == value,
        norm * (green - blue),
        xp.where(
            green == value,
            (norm * (blue - red)).astype(wide, copy=False) + wide(2 / 6),
            (norm * (red - green)).astype(wide, copy=False) + wide(4 / 6),
        ),
    ).astype(scalar, copy=False)
    hue = xp.where(coloured, hue, none)
    out[:, 0] = xp.where(hue < 0, hue + one, hue)
    bright = value > 0
    out[:, 1] = xp.where(bright, span / xp.where(bright, value, one), none)
    out[:, 2] = value


def _rgb(xp: ArrayModule, hsv: Array, out: Array) -> None:
    saturation, value = hsv[:, 1], hsv[:, 2]
    rest = hsv.dtype.type(1) - saturation
    for channel, part in enumerate(_shares(xp, hsv[:, 0])):
        out[:, channel] = (rest + saturation * part) * value


def _shares(xp: ArrayModule, hue: Array) -> list[Array]:
    """The position of each channel in the span from the least to the largest channel, from 0 to 1."""
    scalar = hue.dtype.type
    hue = hue * scalar(6)
    none, one, two = scalar(0), scalar(1), scalar(2)
    parts = (
        xp.abs(hue - scalar(3)) - one,
        two - xp.abs(hue - two),
        two - xp.abs(hue - scalar(4)),
    )
    return [xp.minimum(xp.maximum(part, none), one) for part in parts]
