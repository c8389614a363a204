"""Fork-safe locks, usable in a forked process regardless of which threads held them.

A child process contains only the forking thread; locks held by other threads would never be released there. Therefore
all locks of this package are created here and reset in the child. A whole lock guards multi-step changes whose
intermediate states are unusable: a fork waits for its holder.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any
from weakref import ref

# Weak sets without Python-level callbacks, as each step creates and drops several locks.
_made: set[ref[Any]] = set()
_whole: set[ref[Any]] = set()
_taken: list[Any] = []

# Seconds that a fork waits for other threads' locks: an owner may itself be waiting for the forking thread.
_PATIENCE = 5.0


def make_lock(whole: bool = False) -> Any:
    """Creates a `threading.Lock`; forks wait for the release of a `whole` one, so its holder must not fork."""
    lock = threading.Lock()
    _keep(lock, _whole if whole else _made)
    return lock


def make_rlock() -> Any:
    """Creates a `threading.RLock`; in a forked child, the forking thread keeps it if it held it."""
    lock = threading.RLock()
    _keep(lock, _made)
    return lock


def _keep(lock: Any, among: set[ref[Any]]) -> None:
    among.add(ref(lock, among.discard))


def _alive(among: set[ref[Any]]) -> list[Any]:
    return [lock for reference in list(among) if (lock := reference()) is not None]


def after_fork(function: Callable[[], None]) -> None:
    """Registers `function` to be called in each forked child process."""
    if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
        os.register_at_fork(after_in_child=function)


def _take_whole_locks() -> None:
    end = time.monotonic() + _PATIENCE
    for lock in _alive(_whole):
        if lock.acquire(timeout=max(0.0, end - time.monotonic())):
            _taken.append(lock)


def _give_back() -> None:
    while _taken:
        _taken.pop().release()


def _renew() -> None:
    _taken.clear()
    for lock in (*_alive(_whole), *_alive(_made)):
        is_own = getattr(lock, "_is_owned", None)
        if is_own is None or not is_own():
            lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_take_whole_locks, after_in_parent=_give_back, after_in_child=_renew)
