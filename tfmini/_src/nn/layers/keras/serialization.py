"""Serialization of layers as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.nn.layers.deserialize import to_config
from tfmini._src.nn.layers.serialization.layer_registry import deserialize_layer

if TYPE_CHECKING:
    from tfmini._src.nn.layers.base_layer import Layer


def serialize(layer: Layer) -> Any:
    """Returns {"class_name": ..., "config": ...}, from which `deserialize` rebuilds the layer.

    Example: `tf.keras.layers.serialize(tf.keras.layers.Dense(3))["class_name"]` is "Dense".
    """
    return to_config(layer)


def deserialize(config: dict[str, Any], custom_objects: dict[str, Any] | None = None) -> Any:
    """Rebuilds a layer or model from the result of `serialize`, with new weights.

    Args:
      config: the output of `serialize`.
      custom_objects: custom classes and functions by name.

    Raises:
      ValueError: for an unknown class.
    """
    return deserialize_layer(config, custom_objects)
