"""Arguments of layers that stand for an object: the object itself, its name, or its configuration in a dict."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

# Of these a name stands for an object, made without arguments; of activations for the function itself.
_MADE = ("initializer", "regularizer", "constraint")


def found(identifier: Any, known: Mapping[str, Callable], kind: str) -> Any:
    """The object that a name or a dict ("class_name", "config") stands for; functions are themselves.

    Args:
      identifier: what was given; None stays None.
      known: what there is, by name.
      kind: what messages call it.

    Raises:
      ValueError: if there is none of that name, or it is of another kind.
    """
    if isinstance(identifier, str):
        if identifier not in known:
            raise ValueError(f"Unknown {kind}:{identifier}")
        return known[identifier]() if kind in _MADE else known[identifier]
    if isinstance(identifier, dict):
        if "class_name" not in identifier or "config" not in identifier:
            raise ValueError(f"Improper config format: {identifier}")
        name = identifier["class_name"]
        if name not in known:
            raise ValueError(f"Unknown {kind}: {name}")
        return known[name](**identifier["config"])
    if identifier is None or callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret {kind} identifier: {identifier}")


def described(thing: Any) -> Any:
    """The configuration of an object, from which `found` makes it again; of a function its name."""
    if thing is None:
        return None
    if hasattr(thing, "get_config"):
        return {"class_name": type(thing).__name__, "config": thing.get_config()}
    if hasattr(thing, "__name__"):
        return inspect.unwrap(thing).__name__
    raise ValueError("Cannot serialize", thing)
