"""`tf.layers.Flatten` and `tf.layers.flatten`: collapse all axes but the batch axis."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.nn.layers.base import Layer
from tfmini._src.nn.layers.keras import flatten as core


class Flatten(core.Flatten, Layer):
    __doc__ = core.Flatten.__doc__


@deprecated(None, "Use keras.layers.flatten instead.")
def flatten(inputs: Any, name: Any = None, data_format: str = "channels_last") -> Any:
    """[batch, a, b, ...] becomes [batch, a * b * ...].

    Args:
      inputs: a tensor of one axis or more.
      name: the layer's name.
      data_format: "channels_last" or "channels_first".

    Returns:
      A tensor of two axes, of the same dtype.

    Raises:
      ValueError: for another format, or a number.
    """
    return Flatten(name=name, data_format=data_format).apply(inputs)
