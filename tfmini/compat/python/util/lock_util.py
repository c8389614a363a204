"""`tensorflow.python.util.lock_util`: a lock shared by the members of a group."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from threading import Condition  # of a lock that is free again in a forked process

from tfmini._src.base.locks import make_lock

__all__ = ["GroupLock"]


class GroupLock:
    """A lock that any number of threads of one group can hold, but only one group at a time.

    Raises:
      ValueError: if there are no groups, or for an unknown group.

    Example:
      lock = GroupLock(num_groups=2)
      with lock.group(0):
          ...  # other threads of group 0 may be here too, none of group 1
    """

    def __init__(self, num_groups: int = 2) -> None:
        if num_groups < 1:
            raise ValueError(f"num_groups must be a positive integer, got {num_groups}")
        self._changed = Condition(make_lock())
        self._group_member_counts = [0] * num_groups

    @contextlib.contextmanager
    def _hold(self, group_id: int) -> Iterator[None]:
        self.acquire(group_id)
        try:
            yield
        finally:
            self.release(group_id)

    def group(self, group_id: int) -> contextlib.AbstractContextManager[None]:
        """Context manager that holds the lock for a group."""
        self._check(group_id)
        return self._hold(group_id)

    def acquire(self, group_id: int) -> None:
        """Acquires the lock for a group, waiting until no other group holds it."""
        self._check(group_id)
        counts = self._group_member_counts
        with self._changed:
            self._changed.wait_for(lambda: sum(counts) == counts[group_id])
            counts[group_id] += 1

    def release(self, group_id: int) -> None:
        """Releases the lock for one member of a group."""
        self._check(group_id)
        with self._changed:
            self._group_member_counts[group_id] -= 1
            self._changed.notify_all()

    def _check(self, group_id: int) -> None:
        groups = len(self._group_member_counts)
        if not 0 <= group_id < groups:
            raise ValueError(f"group_id={group_id} should be between 0 and num_groups={groups}")
