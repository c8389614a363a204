"""Fork-safe locks, usable in a forked process regardless of which threads held them.

A child process contains only the forking thread; locks held by other threads would never be released there. Therefore
all locks of this package are created here and reset in the child. A lock that blocks forks guards multi-step changes
whose intermediate states are unusable: a fork waits for its release.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any
from weakref import ref

# Sets of weak references without Python-level callbacks, as each step creates and drops several locks.
_locks: set[ref[Any]] = set()
_fork_blocking_locks: set[ref[Any]] = set()
_acquired_before_fork: list[Any] = []

# Seconds that a fork waits for locks of other threads, because an owner may be waiting for the forking thread.
_MAX_WAIT_SECONDS = 5.0


def make_lock(blocks_fork: bool = False) -> Any:
    """Creates a `threading.Lock`; with `blocks_fork`, forks wait for its release, so its holder must not fork."""
    lock = threading.Lock()
    _register(lock, _fork_blocking_locks if blocks_fork else _locks)
    return lock


def make_rlock() -> Any:
    """Creates a `threading.RLock`; in a forked child, the forking thread keeps holding it if it held it before."""
    lock = threading.RLock()
    _register(lock, _locks)
    return lock


def _register(lock: Any, registry: set[ref[Any]]) -> None:
    registry.add(ref(lock, registry.discard))


def _live_locks(registry: set[ref[Any]]) -> list[Any]:
    return [lock for reference in list(registry) if (lock := reference()) is not None]


def after_fork(function: Callable[[], None]) -> None:
    """Registers `function` to be called in each forked child process."""
    if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
        os.register_at_fork(after_in_child=function)


def _acquire_fork_blocking_locks() -> None:
    end = time.monotonic() + _MAX_WAIT_SECONDS
    for lock in _live_locks(_fork_blocking_locks):
        if lock.acquire(timeout=max(0.0, end - time.monotonic())):
            _acquired_before_fork.append(lock)


def _release_acquired_locks() -> None:
    while _acquired_before_fork:
        _acquired_before_fork.pop().release()


def _reset_locks() -> None:
    _acquired_before_fork.clear()
    for lock in (*_live_locks(_fork_blocking_locks), *_live_locks(_locks)):
        is_own = getattr(lock, "_is_owned", None)
        if is_own is None or not is_own():
            lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_acquire_fork_blocking_locks,
        after_in_parent=_release_acquired_locks,
        after_in_child=_reset_locks,
    )
