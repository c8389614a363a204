"""Serialization of Keras objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tfmini._src.nn.layers.deserialize import Identifier, described, deserialized


def serialize_keras_object(instance: object) -> Any:
    """The config {"class_name": ..., "config": ...} of an object; the name of a function.

    Raises:
      ValueError: if it has neither.
    """
    return described(instance)


def deserialize_keras_object(
    identifier: Identifier,
    module_objects: Mapping[str, Any] | None = None,
    custom_objects: dict[str, Any] | None = None,
    printable_module_name: str = "object",
) -> Any:
    """Creates the object of a configuration or name.

    Args:
      identifier: a result of `serialize_keras_object`.
      module_objects: a dict of known objects, by name.
      custom_objects: a dict of additional objects, which take precedence.
      printable_module_name: its kind, for error messages.

    Raises:
      ValueError: for an unknown name.
    """
    return deserialized(identifier, module_objects, custom_objects, printable_module_name)
