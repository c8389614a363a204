"""Unique names for objects of a class, such as "dense_1", counted per graph."""

from __future__ import annotations

import functools
import re
from collections.abc import Container
from weakref import WeakKeyDictionary

from tfmini._src.graph.default_graph import get_default_graph

_object_counts: WeakKeyDictionary = WeakKeyDictionary()
_uids: WeakKeyDictionary = WeakKeyDictionary()


@functools.cache
def snake_case(name: str) -> str:
    """Converts a class name to snake case: "BasicLSTMCell" becomes "basic_lstm_cell"."""
    spaced = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    name = re.sub("([a-z])([A-Z])", r"\1_\2", spaced).lower()
    return f"private{name}" if name.startswith("_") else name


def unique_object_name(
    name: str,
    first: int,
    counts: dict[str, int] | None = None,
    taken_names: Container[str] = (),
    namespace: str = "",
) -> str:
    """Makes `name` unique by a numeric suffix; the first use gets no suffix.

    Args:
      name: the name of a class.
      first: the first number.
      counts: number of uses of each name; by default, the default graph's counts.
      taken_names: reserved names.
      namespace: scope of uniqueness.
    """
    if counts is None:
        counts = _object_counts.setdefault(get_default_graph(), {})
    key = f"{namespace}/{name}" if namespace else name
    while True:
        suffix = counts.get(key, 0)
        counts[key] = suffix + 1
        suffix += first
        unique = f"{name}_{suffix}" if suffix else name
        if unique not in taken_names:
            return unique


def get_uid(prefix: str = "") -> int:
    """Returns the next number for `prefix` in the default graph: 1, 2, 3 ..."""
    counts = _uids.setdefault(get_default_graph(), {})
    counts[prefix] = counts.get(prefix, 0) + 1
    return counts[prefix]


def reset_uids() -> None:
    """Restarts the numbering of names and uids in all graphs."""
    _uids.clear()
    _object_counts.clear()
