"""Values that stacks and arrays of tensors keep for later in a step."""

from __future__ import annotations

from typing import Any

# How many times as much memory a value that is kept may hold back from being freed.
_MOST = 4


def kept(value: Any) -> Any:
    """A value to keep: itself, or a copy if it is a small view of a large array, which can then be freed."""
    base = getattr(value, "base", None)
    if base is None or getattr(base, "nbytes", 0) <= _MOST * value.nbytes:
        return value
    return value.copy()
