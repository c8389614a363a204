"""Custom classes and functions by name: their registry, and context managers that extend it."""

from __future__ import annotations

from typing import Any

_custom_objects: dict[str, Any] = {}


def get_custom_objects() -> dict[str, Any]:
    """Returns the registry of custom classes and functions by name, a mutable dict."""
    return _custom_objects


class CustomObjectScope:
    """Context manager that registers custom objects by name: `with custom_object_scope({"Scale": Scale}):`.

    Args:
      *args: dicts from names to classes and functions.
    """

    def __init__(self, *args: Any):
        self.custom_objects = args
        self.backup: dict | None = None

    def __enter__(self) -> CustomObjectScope:
        custom_objects = get_custom_objects()
        self.backup = dict(custom_objects)
        for objects in self.custom_objects:
            custom_objects.update(objects or {})
        return self

    def __exit__(self, *args: Any) -> None:
        custom_objects = get_custom_objects()
        custom_objects.clear()
        custom_objects.update(self.backup or {})


def custom_object_scope(*args: Any) -> CustomObjectScope:
    """Context manager that registers custom objects by name.

    Args:
      *args: dicts from names to classes and functions.
    """
    return CustomObjectScope(*args)
