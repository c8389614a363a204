"""`tensorflow.python.training.tracking.tracking`: the functions without public names."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

__all__ = ["cached_per_instance"]


def cached_per_instance(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Caches the result of a method without arguments for the lifetime of each object."""
    values: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()

    @functools.wraps(f)
    def wrapper(item: Any) -> Any:
        if item not in values:
            values[item] = f(item)
        return values[item]

    wrapper.cache = values  # type: ignore[attr-defined]  # read by programs
    return wrapper
