"""Channels-first images, which are transposed for ops that require channels last, unless a GPU is available."""

from __future__ import annotations

from typing import Any

from tfmini._src.devices.cuda.discovery import count_physical_gpus
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.ops import ops


def images_for(x: Any, data_format: str, always: bool = False) -> tuple[Any, str]:
    """Converts images to a layout supported on this machine; returns them and the layout, "NHWC" or "NCHW".

    Args:
      x: [batch, rows, columns, channels], or with "channels_first" [batch, channels, rows, columns].
      data_format: "channels_last" or "channels_first".
      always: whether to move channels to the end even if not required.
    """
    if data_format != "channels_first":
        return x, "NHWC"
    if not always and takes_channels_first():
        return x, "NCHW"
    return ops.transpose(x, (0, 2, 3, 1)), "NHWC"


def images_from(x: Any, order: str, data_format: str) -> Any:
    """Converts images from a layout back to `data_format`."""
    if data_format == "channels_first" and order == "NHWC":
        return ops.transpose(x, (0, 3, 1, 2))
    return x


def takes_channels_first() -> bool:
    """Whether nodes created here may run on a GPU."""
    blocks = get_default_graph()._blocks.devices
    placed = str(getattr(blocks[-1], "device", blocks[-1])) if blocks else ""
    return "CPU" not in placed.upper() and count_physical_gpus() > 0
