"""Python 2's order between objects of different types: None, numbers, then others by type name."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tfmini._src.programs.runner.python2.byte_text import ByteText, as_text


def cmp(a: Any, b: Any) -> int:
    """Returns -1, 0 or 1, if `a` is less than, equal to or greater than `b`."""
    compare = getattr(type(a), "__cmp__", None)
    if compare is not None:
        return compare(a, b)
    try:
        if a == b:
            return 0
        return -1 if a < b else 1
    except TypeError:
        return _compare(a, b)


def less(a: Any, b: Any) -> Any:
    """Implements `a < b`."""
    try:
        return a < b
    except TypeError as error:
        return _fallback_order(error, a, b) < 0


def less_equal(a: Any, b: Any) -> Any:
    """Implements `a <= b`."""
    try:
        return a <= b
    except TypeError as error:
        return _fallback_order(error, a, b) <= 0


def greater(a: Any, b: Any) -> Any:
    """Implements `a > b`."""
    try:
        return a > b
    except TypeError as error:
        return _fallback_order(error, a, b) > 0


def greater_equal(a: Any, b: Any) -> Any:
    """Implements `a >= b`."""
    try:
        return a >= b
    except TypeError as error:
        return _fallback_order(error, a, b) >= 0


def _fallback_order(error: TypeError, a: Any, b: Any) -> int:
    """Returns the order of two objects that Python 3 does not compare; re-raises other errors."""
    if not _is_undefined(error) or _is_complex(a) or _is_complex(b):
        raise error
    return _compare(a, b)


def _is_undefined(error: TypeError) -> bool:
    """Whether Python or numpy lacks the comparison."""
    message = str(error)
    return "not supported between instances of" in message or "did not contain a loop" in message


def _is_complex(value: Any) -> bool:
    return type(value) is complex


def _compare(a: Any, b: Any) -> int:
    if isinstance(a, (bytes, ByteText)) and isinstance(b, str):
        return cmp(as_text(a), b)
    if isinstance(b, (bytes, ByteText)) and isinstance(a, str):
        return cmp(a, as_text(b))
    if type(a) is type(b) and isinstance(a, (list, tuple)):
        for left_value, other in zip(a, b):
            if left_value is not other and (order := cmp(left_value, other)):
                return order
        return (len(a) > len(b)) - (len(a) < len(b))
    if type(a) is type(b) and isinstance(a, dict):
        return _dict_order(a, b)
    first, second = _type_rank(a), _type_rank(b)
    if first == second:
        first, second = ("", id(a)), ("", id(b))
    return (first > second) - (first < second)


def _dict_order(a: dict, b: dict) -> int:
    if len(a) != len(b):
        return -1 if len(a) < len(b) else 1
    pairs = [sorted(d.items(), key=by_order) for d in (a, b)]
    return _compare(*pairs)


def _type_rank(value: Any) -> tuple[str, int]:
    if value is None:
        return ("", 0)
    if isinstance(value, (int, float, np.number)):
        return ("", 1)
    return (type(value).__name__, 2)


by_order = functools.cmp_to_key(cmp)


def sorted_(
    iterable: Iterable[Any],
    cmp: Callable[[Any, Any], int] | None = None,
    key: Callable[[Any], Any] | None = None,
    reverse: Any = False,
) -> list[Any]:
    """Implements `sorted`, with support for comparison functions and mixed types."""
    values = list(iterable)
    if cmp is not None:
        by = functools.cmp_to_key(cmp)
        return sorted(values, key=(lambda x: by(key(x))) if key else by, reverse=bool(reverse))
    try:
        return sorted(values, key=key, reverse=bool(reverse))
    except TypeError as error:
        if not _is_undefined(error):
            raise
    order = (lambda x: by_order(key(x))) if key else by_order
    return sorted(values, key=order, reverse=bool(reverse))


def sort(values: list[Any], *args: Any, **kwargs: Any) -> None:
    """Implements `values.sort(...)` for a list."""
    values[:] = sorted_(values, *args, **kwargs)


def max_(*args: Any, **kwargs: Any) -> Any:
    """Implements `max`, with support for mixed types."""
    return _extreme(max, args, kwargs)


def min_(*args: Any, **kwargs: Any) -> Any:
    """Implements `min`, with support for mixed types."""
    return _extreme(min, args, kwargs)


def _extreme(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    values = list(args[0]) if len(args) == 1 and hasattr(args[0], "__next__") else None
    args = args if values is None else (values,)
    try:
        return function(*args, **kwargs)
    except TypeError as error:
        if not _is_undefined(error):
            raise
    key = kwargs.get("key")
    order = (lambda x: by_order(key(x))) if key else by_order
    return function(*args, key=order)
