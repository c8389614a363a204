"""Conversion between RGB and HSV along the last axis, as in TensorFlow's kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.devices.arrays import Array, ArrayModule
from tfmini._src.devices.host.native.images.colors import convert_colors

# Pixels converted at a time, to fit the cache.
_BLOCK = 1 << 14


def hsv_of_rgb(xp: ArrayModule, rgb: Array) -> Array:
    """Converts RGB [..., 3] to hue, saturation and value; the hue ranges from 0 to 1."""
    return _convert_pixels(xp, "hsv_of_rgb", _to_hsv, rgb)


def rgb_of_hsv(xp: ArrayModule, hsv: Array) -> Array:
    """Converts HSV [..., 3] to RGB."""
    return _convert_pixels(xp, "rgb_of_hsv", _to_rgb, hsv)


def hue_shifted(xp: ArrayModule, rgb: Array, delta: Array) -> Array:
    """Adds `delta` to the hue of RGB, which wraps from 1 to 0."""

    def shift_hue(xp: ArrayModule, rgb: Array, out: Array) -> None:
        red, green, blue = rgb[:, 0], rgb[:, 1], rgb[:, 2]
        low, high = xp.minimum(red, green), xp.maximum(red, green)
        value, minimum = xp.maximum(high, blue), xp.minimum(low, blue)
        middle_value = xp.maximum(low, xp.minimum(high, blue))
        scalar = rgb.dtype.type
        span, none, one, sectors = value - minimum, scalar(0), scalar(1), scalar(6)
        share = (middle_value - minimum) / xp.where(span > 0, span, one)
        sector = xp.where(
            red < green,
            xp.where(blue < red, one, xp.where(blue > green, scalar(3), scalar(2))),
            xp.where(blue < green, none, xp.where(blue > red, scalar(4), scalar(5))),
        )
        hue = sector + xp.where(sector % scalar(2) == 1, one - share, share)
        hue = xp.where(span > 0, hue, none) + delta * sectors
        turns = xp.floor(hue / sectors)
        hue = hue - turns * sectors
        hue = xp.where(hue >= sectors, none, hue)
        sector = xp.floor(hue)
        share = hue - sector
        middle_value = minimum + xp.where(sector % scalar(2) == 1, one - share, share) * span
        for channel, (top, bottom) in enumerate(
            (((0, 5), (2, 3)), ((1, 2), (4, 5)), ((3, 4), (0, 1)))
        ):
            part = xp.where((sector == top[0]) | (sector == top[1]), value, middle_value)
            out[:, channel] = xp.where((sector == bottom[0]) | (sector == bottom[1]), minimum, part)

    return _convert_pixels(xp, "hue_shifted", shift_hue, rgb, delta)


def saturation_scaled(xp: ArrayModule, rgb: Array, scale: Any) -> Array:
    """Multiplies the saturation of RGB by `scale`, limited to [0, 1]; rounds as AdjustSaturation does."""

    def scale_saturation(xp: ArrayModule, rgb: Array, out: Array) -> None:
        hsv = xp.empty_like(rgb)
        _to_hsv(xp, rgb, hsv, is_adjustment=True)
        scalar = rgb.dtype.type
        one, value, hue = scalar(1), hsv[:, 2], hsv[:, 0] * scalar(6)
        span = xp.minimum(one, xp.maximum(scalar(0), hsv[:, 1] * scale)) * value
        red, green, blue = _channel_positions(xp, hsv[:, 0])
        green = xp.where(hue < one, one - xp.abs(hue - one), green)
        for channel, part in enumerate((red, green, blue)):
            out[:, channel] = (value - span) + span * part

    return _convert_pixels(xp, "saturation_scaled", scale_saturation, rgb, scale)


def _convert_pixels(
    xp: ArrayModule, name: str, work: Any, pixels: Array, amount: Any = 0.0
) -> Array:
    """Converts pixels by the kernel of this name, or block by block by `work(xp, pixels, out)`."""
    if pixels.dtype == np.float16 and name in ("hue_shifted", "saturation_scaled"):
        return _convert_pixels(xp, name, work, pixels.astype("f"), amount).astype(pixels.dtype)
    output = convert_colors(name, pixels, amount) if xp is np else None
    if output is not None:
        return output
    result = xp.empty(pixels.shape, pixels.dtype)
    flat, target_rows = pixels.reshape(-1, 3), result.reshape(-1, 3)
    step = _BLOCK if xp.__name__ == "numpy" else max(len(flat), 1)
    for start in range(0, len(flat), step):
        work(xp, flat[start : start + step], target_rows[start : start + step])
    return result


def _to_hsv(xp: ArrayModule, rgb: Array, out: Array, is_adjustment: bool = False) -> None:
    """Converts RGB to HSV; with `is_adjustment`, rounds as AdjustSaturation does, rather than RGBToHSV."""
    scalar = rgb.dtype.type
    wide_type = np.float64 if is_adjustment else scalar
    red, green, blue = rgb[:, 0], rgb[:, 1], rgb[:, 2]
    value = xp.maximum(xp.maximum(red, green), blue)
    span = value - xp.minimum(xp.minimum(red, green), blue)
    one, none = scalar(1), scalar(0)
    is_colored = span > 0
    some = xp.where(is_colored, span, one)
    norm = one / (scalar(6) * some) if is_adjustment else (one / some) * (one / scalar(6))
    hue = xp.where(
        red == value,
        norm * (green - blue),
        xp.where(
            green == value,
            (norm * (blue - red)).astype(wide_type, copy=False) + wide_type(2 / 6),
            (norm * (red - green)).astype(wide_type, copy=False) + wide_type(4 / 6),
        ),
    ).astype(scalar, copy=False)
    hue = xp.where(is_colored, hue, none)
    out[:, 0] = xp.where(hue < 0, hue + one, hue)
    is_bright = value > 0
    out[:, 1] = xp.where(is_bright, span / xp.where(is_bright, value, one), none)
    out[:, 2] = value


def _to_rgb(xp: ArrayModule, hsv: Array, out: Array) -> None:
    saturation, value = hsv[:, 1], hsv[:, 2]
    complement = hsv.dtype.type(1) - saturation
    for channel, part in enumerate(_channel_positions(xp, hsv[:, 0])):
        out[:, channel] = (complement + saturation * part) * value


def _channel_positions(xp: ArrayModule, hue: Array) -> list[Array]:
    """Returns each channel's position between the smallest and the largest channel, from 0 to 1."""
    scalar = hue.dtype.type
    hue = hue * scalar(6)
    none, one, two = scalar(0), scalar(1), scalar(2)
    parts = (
        xp.abs(hue - scalar(3)) - one,
        two - xp.abs(hue - two),
        two - xp.abs(hue - scalar(4)),
    )
    return [xp.minimum(xp.maximum(part, none), one) for part in parts]
