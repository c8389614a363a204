"""Variables shared by replicas: created by the first, and reused in the same order by the others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_NUMBER_OF_SCOPE = re.compile(r"_\d/")
_NUMBER_AT_END = re.compile(r"_\d$")


def strip_numbers(name: str | None) -> str:
    """Returns a name without the uniquifying suffixes that differ between replicas."""
    if name is None:
        return "Variable"
    return _NUMBER_AT_END.sub("", _NUMBER_OF_SCOPE.sub("/", name))


def sharing_creator(store: dict[str, list], replica: int) -> Callable:
    """Returns the variable creator of a replica.

    Args:
      store: variables by name, initially empty; shared by all replicas.
      replica: the replica's index.
    """
    counts: dict[str, int] = {}

    def make(next_creator: Callable, **kwargs: Any) -> Any:
        variable = next_creator(**kwargs)
        store.setdefault(strip_numbers(kwargs.get("name")), []).append(variable)
        return variable

    def take(next_creator: Callable, **kwargs: Any) -> Any:
        name = strip_numbers(kwargs.get("name"))
        position = counts.get(name, 0)
        if position >= len(store.get(name, ())):
            raise RuntimeError(
                f"Tried to create variable {kwargs.get('name')} with mismatching name on device {replica}"
            )
        counts[name] = position + 1
        return store[name][position]

    return make if replica == 0 else take
