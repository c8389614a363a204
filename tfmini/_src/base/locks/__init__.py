"""Locks that a forked process can use, whatever other threads held when it was forked.

A child has only the thread that forked; what the others held would stay held there for ever. So each lock
of this package is made here, and is free again in a child. What a whole lock guards takes many steps to
change and is of no use half changed: a fork waits for whoever holds one.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any
from weakref import ref

# Weak sets of which nothing runs in Python, as steps make and drop several locks each.
_made: set[ref[Any]] = set()
_whole: set[ref[Any]] = set()
_taken: list[Any] = []

# How long a fork waits for whole locks: their owner may itself wait for the thread that forks (seconds).
_PATIENCE = 5.0


def make_lock(whole: bool = False) -> Any:
    """A `threading.Lock`; the holder of a `whole` one must not fork, as forks wait for its release."""
    lock = threading.Lock()
    _keep(lock, _whole if whole else _made)
    return lock


def make_rlock() -> Any:
    """A `threading.RLock`; in a forked child, it stays with the forking thread if that held it."""
    lock = threading.RLock()
    _keep(lock, _made)
    return lock


def _keep(lock: Any, among: set[ref[Any]]) -> None:
    among.add(ref(lock, among.discard))


def _there(among: set[ref[Any]]) -> list[Any]:
    return [lock for each in list(among) if (lock := each()) is not None]


def after_fork(function: Callable[[], None]) -> None:
    """Calls `function` in each forked process from now on."""
    if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
        os.register_at_fork(after_in_child=function)


def _take_whole_locks() -> None:
    end = time.monotonic() + _PATIENCE
    for lock in _there(_whole):
        if lock.acquire(timeout=max(0.0, end - time.monotonic())):
            _taken.append(lock)


def _give_back() -> None:
    while _taken:
        _taken.pop().release()


def _renew() -> None:
    _taken.clear()
    for lock in (*_there(_whole), *_there(_made)):
        is_own = getattr(lock, "_is_owned", None)
        if is_own is None or not is_own():
            lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_take_whole_locks, after_in_parent=_give_back, after_in_child=_renew)
