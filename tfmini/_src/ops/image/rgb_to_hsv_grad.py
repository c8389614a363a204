"""Gradient of RGBToHSV, composed as in TensorFlow by the largest and the smallest channel.

Hue, saturation and value are piecewise rational functions of red, green and blue; on ties for the largest channel, red
precedes green, and green precedes blue.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.ops import ops
from tfmini._src.ops.image.color_ops import rgb_to_hsv_op

_SIXTH = 60  # degrees


@dataclass(frozen=True)
class _Channel:
    """A channel with masks (1 or 0) of the pixels where it is the largest or the smallest of the three."""

    values: Any
    largest: Any
    least: Any


def _as_float(condition: Any) -> Any:
    return ops.cast(condition, dtypes.float32)


def _inverse(value: Any) -> Any:
    """Returns 1 / value, or 0 for 0."""
    return ops.div_no_nan(1.0, value)


def _channels(red: Any, green: Any, blue: Any) -> tuple[_Channel, _Channel, _Channel]:
    largest = (
        _as_float((red >= blue) & (red >= green)),
        _as_float((green > red) & (green >= blue)),
        _as_float((blue > red) & (blue > green)),
    )
    smallest_channel = (
        _as_float((red < blue) & (red < green)),
        _as_float((green <= red) & (green < blue)),
        _as_float((blue <= red) & (blue <= green)),
    )
    return tuple(map(_Channel, (red, green, blue), largest, smallest_channel))  # type: ignore[return-value]


def _saturation_slope(
    channel: _Channel, first_channel: _Channel, other: _Channel, order: tuple
) -> Any:
    """Returns the derivative of saturation by a channel; `order`: sum order of the others where it is smallest."""
    first, second = order
    is_positive = _as_float(channel.values > 0)
    min_channel = ops.add(first_channel.least * first_channel.values, other.least * other.values)
    where_largest = channel.largest * min_channel * _inverse(ops.square(channel.values))
    falls = channel.least * -1
    largest = (first.largest * first.values) + (second.largest * second.values)
    where_least = falls * _inverse(largest)
    return is_positive * ops.add(where_largest, where_least)


def _largest_slope(channel: _Channel, first_channel: _Channel, other: _Channel, hsv: tuple) -> Any:
    saturation, value = hsv
    slope = (
        _as_float(channel.values > 0) * channel.largest * -1 * (first_channel.values - other.values)
    )
    slope = slope * _inverse(ops.square(saturation))
    return _SIXTH * (slope * _inverse(ops.square(value)))


def _least_slope(largest: _Channel, channel: _Channel, difference: tuple, span: tuple) -> Any:
    slope = _as_float(largest.values > 0) * largest.largest * channel.least
    slope = slope * (difference[0].values - difference[1].values)
    return _SIXTH * (slope * _inverse(ops.square(span[0].values - span[1].values)))


def _middle_slope(largest: _Channel, smallest: _Channel, other: _Channel, falls: bool) -> Any:
    slope = _as_float(largest.values > 0) * largest.largest * smallest.least
    if falls:
        slope = slope * -1
    return _SIXTH * (slope * _inverse(largest.values - other.values))


def _total(parts: list[Any]) -> Any:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total / 360


def _hue_slopes(red: _Channel, green: _Channel, blue: _Channel, hsv: tuple) -> list[Any]:
    """Returns the derivatives of hue by red, green and blue."""
    red_grad = _total(
        [
            _largest_slope(red, green, blue, hsv),
            _least_slope(green, red, (blue, green), (red, green)),
            _middle_slope(green, blue, blue, True),
            _least_slope(blue, red, (blue, green), (blue, red)),
            _middle_slope(blue, green, green, False),
        ]
    )
    green_grad = _total(
        [
            _largest_slope(green, blue, red, hsv),
            _least_slope(red, green, (red, blue), (red, green)),
            _middle_slope(red, blue, blue, False),
            _least_slope(blue, green, (red, blue), (blue, green)),
            _middle_slope(blue, red, red, True),
        ]
    )
    blue_grad = _total(
        [
            _largest_slope(blue, red, green, hsv),
            _least_slope(red, blue, (green, red), (red, blue)),
            _middle_slope(red, green, green, True),
            _least_slope(green, blue, (green, red), (green, blue)),
            _middle_slope(green, red, red, False),
        ]
    )
    return [red_grad, green_grad, blue_grad]


@rgb_to_hsv_op.gradient
def _(op, grad):
    rgb, hsv = op.inputs[0], op.outputs[0]
    red_values, green_values, blue_values = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    saturation, value = hsv[..., 1], hsv[..., 2]
    red, green, blue = _channels(red_values, green_values, blue_values)
    saturation_slopes = [
        _saturation_slope(red, green, blue, (green, blue)),
        _saturation_slope(green, red, blue, (red, blue)),
        _saturation_slope(blue, green, red, (green, red)),
    ]
    hue_slopes = _hue_slopes(red, green, blue, (saturation, value))
    value_slopes = [channel.largest for channel in (red, green, blue)]
    parts = [
        ops.stack([grad[..., channel] * slope for slope in slopes], axis=-1)
        for channel, slopes in ((2, value_slopes), (1, saturation_slopes), (0, hue_slopes))
    ]
    return ops.add(ops.add(parts[0], parts[1]), parts[2])
