"""`tensorflow.python.framework.registry`: objects registered by unique names."""

from __future__ import annotations

import sys
from collections.abc import KeysView
from typing import Any

__all__ = ["Registry"]


class Registry:
    """Objects by name; `name` is the kind of entries, for messages."""

    def __init__(self, name: str):
        self._name = name
        self._objects: dict[str, Any] = {}
        self._places: dict[str, str] = {}

    def register(self, candidate: Any, name: str | None = None) -> None:
        """Registers an object under `name`, by default its own name; raises KeyError if the name is already used."""
        name = name or candidate.__name__
        if name in self._objects:
            raise KeyError(
                f"Registering two {self._name} with name '{name}'! (Previous registration was in {self._places[name]})"
            )
        frame = sys._getframe(1)
        code = frame.f_code
        self._places[name] = f"{code.co_name} {code.co_filename}:{frame.f_lineno}"
        self._objects[name] = candidate

    def list(self) -> KeysView[str]:
        """Returns the names."""
        return self._objects.keys()

    def lookup(self, name: str | bytes) -> Any:
        """Returns the object with that name; raises LookupError for an unknown name."""
        name = name.decode() if isinstance(name, bytes) else name
        if name not in self._objects:
            raise LookupError(f"{self._name} registry has no entry for: {name}")
        return self._objects[name]
