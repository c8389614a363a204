"""Python 2's `/`: floor division for integers, `__div__` for objects that define it."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np


def div(a: Any, b: Any) -> Any:
    """Implements `a / b`."""
    first, second = type(a), type(b)
    if first is int and second is int:
        return a // b
    if first is float or second is float:
        return a / b
    if _is_integer(a) and _is_integer(b):
        return a // b
    divide = getattr(first, "__div__", None)
    if divide is not None:
        quotient = divide(a, b)
        if quotient is not NotImplemented:
            return quotient
    divide = getattr(second, "__rdiv__", None)
    if divide is not None and getattr(first, "__truediv__", None) is None:
        return divide(b, a)
    return _divide_by_tensor(a, b) if hasattr(second, "__rdiv__") else a / b


def idiv(a: Any, b: Any) -> Any:
    """Implements `a /= b`; returns the result."""
    divide = getattr(type(a), "__idiv__", None)
    if divide is not None:
        return divide(a, b)
    if isinstance(a, np.ndarray):
        are_integers = _is_integer(a) and _is_integer(b)
        return operator.ifloordiv(a, b) if are_integers else operator.itruediv(a, b)
    return div(a, b)


def idiv_attribute(owner: Any, name: str, b: Any) -> None:
    """Implements `owner.name /= b`."""
    setattr(owner, name, idiv(getattr(owner, name), b))


def idiv_item(owner: Any, index: Any, b: Any) -> None:
    """Implements `owner[index] /= b`."""
    owner[index] = idiv(owner[index], b)


def _is_integer(value: Any) -> bool:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.kind in "iub"
    return isinstance(value, int)


def _divide_by_tensor(a: Any, b: Any) -> Any:
    """Divides a number or an array by a tensor."""
    quotient = type(b).__rdiv__(b, a)
    return a / b if quotient is NotImplemented else quotient
