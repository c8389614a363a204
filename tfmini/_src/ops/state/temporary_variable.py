"""Temporary variables of the step that runs in this thread: each name is taken until its variable is destroyed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tfmini._src.base.errors import AlreadyExistsError, NotFoundError


class _Here(threading.local):
    """names: those that are taken in the step; none outside of steps that have such variables."""

    names: set[str] | None = None


_here = _Here()


@contextmanager
def one_step() -> Iterator[None]:
    """Within this context, or within each of several in each other, a step of its own runs."""
    before = _here.names
    _here.names = set()
    try:
        yield
    finally:
        _here.names = before


def take(name: str) -> None:
    """Takes a name."""
    if _here.names is None:
        _here.names = set()
    if name in _here.names:
        raise AlreadyExistsError(None, None, _resource(name))
    _here.names.add(name)


def give_up(name: str) -> None:
    """Gives a name up."""
    if not _here.names or name not in _here.names:
        raise NotFoundError(None, None, f"{_resource(name)} does not exist.")
    _here.names.remove(name)


def _resource(name: str) -> str:
    return f"Resource __per_step_0/{name}/N10tensorflow19TemporaryVariableOp6TmpVarE"
