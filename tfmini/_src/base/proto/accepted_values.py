"""List values that protobuf formerly accepted and now rejects: booleans as 0 and 1.

Only values that protobuf rejects are converted and retried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np


def _bool_as_int(value: Any) -> Any:
    """Converts a boolean to 0 or 1; returns other values unchanged."""
    return int(value) if isinstance(value, bool | np.bool_) else value


converters: list[Callable[[Any], Any]] = [_bool_as_int]


def _convert_values(values: Iterable[Any]) -> list[Any]:
    converted = list(values)
    for convert in converters:
        converted = list(map(convert, converted))
    return converted


def _is_changed(values: Iterable[Any], converted: list[Any]) -> bool:
    return any(a is not b for a, b in zip(values, converted))


def accept_old_values(message: Any) -> None:
    """Makes a message class with a list `value`, and that list's class, accept values of `converters`."""
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
            if values is None or not _is_changed(values, converted := _convert_values(values)):
                raise
            self.Clear()
            construct(self, **{**fields, "value": converted})

    return __init__


def _append(append: Callable[..., None]) -> Callable[..., None]:
    def append_old(self: Any, value: Any) -> None:
        try:
            append(self, value)
        except TypeError:
            converted = _convert_values([value])
            if not _is_changed([value], converted):
                raise
            append(self, converted[0])

    return append_old


def _extend(extend: Callable[..., None]) -> Callable[..., None]:
    def extend_old(self: Any, values: Any) -> None:
        if not isinstance(values, np.ndarray | list | tuple):
            extend(self, values)
            return
        count = len(self)
        try:
            extend(self, values)
        except TypeError:
            if not _is_changed(values, converted := _convert_values(values)):
                raise
            del self[count:]
            extend(self, converted)

    return extend_old
