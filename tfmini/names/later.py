"""Names of a namespace whose module stands above it: who loads them is told here by what knows both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_loaders: dict[str, Callable[[str], Any]] = {}


def register(namespace: str, load: Callable[[str], Any]) -> None:
    """Has `load(name)` give the late names of a namespace."""
    _loaders[namespace] = load


def loader(namespace: str) -> Callable[[str], Any]:
    """What loads the late names of a namespace, by what is registered at that time."""
    return lambda name: _loaders[namespace](name)
