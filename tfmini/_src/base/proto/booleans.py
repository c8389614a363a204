"""Booleans in integer lists, which protobuf accepted as 0 and 1 in TensorFlow's time and now rejects.

Only values that protobuf rejects are converted and retried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

_BOOLEANS = (bool, np.bool_)


def _numbers(values: Iterable[Any]) -> list[Any]:
    """Converts booleans among the values to 0 and 1."""
    return [int(value) if isinstance(value, _BOOLEANS) else value for value in values]


def _has_booleans(values: Iterable[Any]) -> bool:
    return any(isinstance(value, _BOOLEANS) for value in values)


def accept_booleans(message: Any) -> None:
    """Makes a message class with a list `value`, and that list's class, accept booleans as integers."""
    container = type(message().value)
    message.__init__ = _constructor(message.__init__)
    if container not in _known:
        _known.add(container)
        container.append = _append(container.append)
        container.extend = _extend(container.extend)


_known: set[type] = set()


def _constructor(construct: Callable[..., None]) -> Callable[..., None]:
    def __init__(self: Any, **fields: Any) -> None:
        values = fields.get("value")
        if values is not None and not isinstance(values, np.ndarray | list | tuple):
            fields["value"] = values = list(values)  # may be a one-shot iterator
        try:
            construct(self, **fields)
        except TypeError:
            if values is None or not _has_booleans(values):
                raise
            self.Clear()
            construct(self, **{**fields, "value": _numbers(values)})

    return __init__


def _append(append: Callable[..., None]) -> Callable[..., None]:
    def with_booleans(self: Any, value: Any) -> None:
        try:
            append(self, value)
        except TypeError:
            if not isinstance(value, _BOOLEANS):
                raise
            append(self, int(value))

    return with_booleans


def _extend(extend: Callable[..., None]) -> Callable[..., None]:
    def with_booleans(self: Any, values: Any) -> None:
        if not isinstance(values, np.ndarray | list | tuple):
            extend(self, values)
            return
        count = len(self)
        try:
            extend(self, values)
        except TypeError:
            if not _has_booleans(values):
                raise
            del self[count:]
            extend(self, _numbers(values))

    return with_booleans
