"""Layers and models by the names of their classes, as configurations have them."""

from __future__ import annotations

from typing import Any

from tfmini.layers.identifiers import deserialized

KNOWN: dict[str, Any] = {}  # `tfmini/keras/layers/` and the models add theirs
_RENAMED = {"BatchNormalizationV1": "BatchNormalization"}


def register(*classes: type) -> None:
    """Adds classes under their names."""
    KNOWN.update({cls.__name__: cls for cls in classes})


def deserialize_layer(config: Any, custom_objects: Any = None) -> Any:
    """The layer or model that {"class_name": ..., "config": ...} describes, with new weights.

    Args:
      config: what `serialize` gave.
      custom_objects: a dict from names to classes and functions that are not Keras's own.

    Raises:
      ValueError: for a class that is not known.
    """
    if isinstance(config, dict) and config.get("class_name") in _RENAMED:
        config = {**config, "class_name": _RENAMED[config["class_name"]]}
    return deserialized(config, KNOWN, custom_objects, "layer")
