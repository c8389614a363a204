"""Module-level functions for the default graph's collections."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from tfmini._src.graph.default_graph import get_default_graph


def add_to_collection(name: Hashable, value: object) -> None:
    """Appends `value` to a collection of the default graph; see `Graph.add_to_collection`."""
    get_default_graph().add_to_collection(name, value)


def add_to_collections(names: str | Iterable[Hashable], value: object) -> None:
    """Appends `value` to several collections of the default graph."""
    get_default_graph().add_to_collections(names, value)


def get_collection(key: Hashable, scope: str | None = None) -> list[Any]:
    """Returns a copy of a collection of the default graph; see `Graph.get_collection`."""
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key: Hashable) -> list[Any]:
    """Returns the default graph's collection itself, not a copy."""
    return get_default_graph().get_collection_ref(key)


def get_all_collection_keys() -> list[str]:
    """Returns the names of the default graph's collections."""
    return get_default_graph().get_all_collection_keys()
