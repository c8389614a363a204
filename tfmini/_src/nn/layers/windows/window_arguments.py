"""Arguments of convolution and pooling layers: data formats, paddings and resulting sizes."""

from __future__ import annotations

from tfmini._src.nn.layers.backend.config import image_data_format
from tfmini._src.nn.layers.windows.conv_output_length import normalize_data_format


def resolve_data_format(value: str | None) -> str:
    """Returns the data format in lower case; None selects `tf.keras.backend.image_data_format()`.

    Raises:
      ValueError: for an unknown format.
    """
    return normalize_data_format(image_data_format() if value is None else value)


def window_count(
    length: int | None, size: int, padding: str, stride: int, dilation: int = 1
) -> int | None:
    """Returns the number of window positions along an axis, or None if its length is unknown."""
    if length is None:
        return None
    assert padding in ("same", "valid", "full", "causal")
    spread = (size - 1) * dilation + 1
    length += {"valid": 1 - spread, "full": spread - 1}.get(padding, 0)
    return (length + stride - 1) // stride


def spatial_axes(data_format: str, count: int) -> range:
    """Returns the indices of the spatial axes."""
    first = 2 if data_format == "channels_first" else 1
    return range(first, first + count)


def channel_axis(data_format: str) -> int:
    """Returns the index of the channel axis."""
    return 1 if data_format == "channels_first" else -1
