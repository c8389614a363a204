"""Serializes and deserializes Keras objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tfmini._src.nn.layers.deserialize import Identifier, deserialize_object, to_config


def serialize_keras_object(instance: object) -> Any:
    """Returns the configuration {"class_name": ..., "config": ...} of an object, or the name of a function.

    Raises:
      ValueError: for other objects.
    """
    return to_config(instance)


def deserialize_keras_object(
    identifier: Identifier,
    module_objects: Mapping[str, Any] | None = None,
    custom_objects: dict[str, Any] | None = None,
    printable_module_name: str = "object",
) -> Any:
    """Creates an object from a configuration or name.

    Args:
      identifier: a result of `serialize_keras_object`.
      module_objects: default objects by name.
      custom_objects: additional objects by name, which take precedence.
      printable_module_name: kind of object, for error messages.

    Raises:
      ValueError: for an unknown name.
    """
    return deserialize_object(identifier, module_objects, custom_objects, printable_module_name)
