"""The signatures of a SavedModel, by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.functions.tf_function import Function
from tfmini._src.variables.trackable import Trackable


class SignatureMap(Mapping, Trackable):
    """Mapping from signature keys to functions; the type of a loaded object's `signatures`."""

    def __init__(self) -> None:
        self._signatures: dict[str, Any] = {}

    def add(self, name: str, function: Any) -> None:
        """Adds a function while loading."""
        self._signatures[name] = function

    def __getitem__(self, key: str) -> Any:
        return self._signatures[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._signatures)

    def __len__(self) -> int:
        return len(self._signatures)

    def __repr__(self) -> str:
        return f"_SignatureMap({self._signatures})"

    def _list_functions_for_serialization(self, serialization_cache: Any) -> dict[str, Any]:
        return {k: f for k, f in self.items() if isinstance(f, Function | ConcreteFunction)}
