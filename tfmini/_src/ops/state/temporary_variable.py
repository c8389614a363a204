"""Temporary variables of the current thread's step; a name is reserved until its variable is destroyed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tfmini._src.base.errors import AlreadyExistsError, NotFoundError


class _ReservedNames(threading.local):
    """The names reserved in the step of the thread; None outside steps with temporary variables."""

    names: set[str] | None = None


_reserved = _ReservedNames()


@contextmanager
def one_step() -> Iterator[None]:
    """Context manager for one step; nestable."""
    previous_names = _reserved.names
    _reserved.names = set()
    try:
        yield
    finally:
        _reserved.names = previous_names


def take(name: str) -> None:
    """Reserves a name."""
    if _reserved.names is None:
        _reserved.names = set()
    if name in _reserved.names:
        raise AlreadyExistsError(None, None, _resource_name(name))
    _reserved.names.add(name)


def release_name(name: str) -> None:
    """Releases a name."""
    if not _reserved.names or name not in _reserved.names:
        raise NotFoundError(None, None, f"{_resource_name(name)} does not exist.")
    _reserved.names.remove(name)


def _resource_name(name: str) -> str:
    return f"Resource __per_step_0/{name}/N10tensorflow19TemporaryVariableOp6TmpVarE"
