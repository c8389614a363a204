"""`and`, `or`, `not`, `==`, `!=`: `tf.cond`, LogicalNot and Equal for tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.graph.is_tensor import is_tensor
from tfmini._src.ops import ops, raw


def not_(value: Any) -> Any:
    """Implements `not value`."""
    return raw.LogicalNot(value) if is_tensor(value) else not value


def and_(first: Callable[[], Any], second: Callable[[], Any]) -> Any:
    """Implements `first() and second()`; for a tensor, both are traced, and one runs."""
    value = first()
    return ops.cond(value, second, lambda: value) if is_tensor(value) else value and second()


def or_(first: Callable[[], Any], second: Callable[[], Any]) -> Any:
    """Implements `first() or second()`."""
    value = first()
    return ops.cond(value, lambda: value, second) if is_tensor(value) else value or second()


def eq(a: Any, b: Any) -> Any:
    """Implements `a == b`, element by element for tensors."""
    return raw.Equal(a, b) if is_tensor(a) or is_tensor(b) else a == b


def not_eq(a: Any, b: Any) -> Any:
    """Implements `a != b`."""
    return not_(eq(a, b))
