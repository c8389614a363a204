"""Temporary variables of the current thread's step: a name is reserved until its variable is destroyed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tfmini._src.base.errors import AlreadyExistsError, NotFoundError


class _Here(threading.local):
    """The names reserved in the thread's step; None outside steps with temporary variables."""

    names: set[str] | None = None


_here = _Here()


@contextmanager
def one_step() -> Iterator[None]:
    """Context manager of one step; nestable."""
    before = _here.names
    _here.names = set()
    try:
        yield
    finally:
        _here.names = before


def take(name: str) -> None:
    """Reserves a name."""
    if _here.names is None:
        _here.names = set()
    if name in _here.names:
        raise AlreadyExistsError(None, None, _resource_name(name))
    _here.names.add(name)


def give_up(name: str) -> None:
    """Releases a name."""
    if not _here.names or name not in _here.names:
        raise NotFoundError(None, None, f"{_resource_name(name)} does not exist.")
    _here.names.remove(name)


def _resource_name(name: str) -> str:
    return f"Resource __per_step_0/{name}/N10tensorflow19TemporaryVariableOp6TmpVarE"
