"""Unique names of objects by class: "dense_1", counted per graph."""

from __future__ import annotations

import re
from collections.abc import Container
from weakref import WeakKeyDictionary

from tfmini._src.graph.default_graph import get_default_graph

_object_counts: WeakKeyDictionary = WeakKeyDictionary()
_uids: WeakKeyDictionary = WeakKeyDictionary()


def snake_case(name: str) -> str:
    """The name of a class as a layer's: "BasicLSTMCell" is basic_lstm_cell."""
    spaced = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    name = re.sub("([a-z])([A-Z])", r"\1_\2", spaced).lower()
    return f"private{name}" if name.startswith("_") else name


def unique_object_name(
    name: str,
    first: int,
    counts: dict[str, int] | None = None,
    avoid: Container[str] = (),
    namespace: str = "",
) -> str:
    """`name` with a number that makes it unique; the first has no number.

    Args:
      name: the name of a class.
      first: the first number.
      counts: how often each name was used, by default in the default graph.
      avoid: names that are taken.
      namespace: where the name is to be unique.
    """
    if counts is None:
        counts = _object_counts.setdefault(get_default_graph(), {})
    key = f"{namespace}/{name}" if namespace else name
    while True:
        number = counts.get(key, 0)
        counts[key] = number + 1
        number += first
        unique = f"{name}_{number}" if number else name
        if unique not in avoid:
            return unique


def get_uid(prefix: str = "") -> int:
    """1, 2, 3 ... for each prefix, in each graph."""
    counts = _uids.setdefault(get_default_graph(), {})
    counts[prefix] = counts.get(prefix, 0) + 1
    return counts[prefix]


def reset_uids() -> None:
    """Restarts the numbering of names and uids in all graphs."""
    _uids.clear()
    _object_counts.clear()
