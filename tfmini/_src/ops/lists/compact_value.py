"""Compaction of values that stacks and tensor arrays retain."""

from __future__ import annotations

from typing import Any

# Maximum ratio of the memory kept alive by a view to the view's own size.
_MAX_BASE_RATIO = 4


def compact(value: Any) -> Any:
    """Copies a small view of a large array so that the array can be freed; other values are returned unchanged."""
    base = getattr(value, "base", None)
    if base is None or getattr(base, "nbytes", 0) <= _MAX_BASE_RATIO * value.nbytes:
        return value
    return value.copy()
