"""LRU cache of a session's plans."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from tfmini._src.base.locks import make_lock
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.fetches import is_attrs

if TYPE_CHECKING:
    from tfmini._src.executor.plan import Plan
    from tfmini._src.executor.waiting_plan import WaitingPlan
    from tfmini._src.session.fetches import Fetches

# A plan of a few nodes takes 15 KB; a program uses dozens of plans, an interactive one perhaps hundreds.
_MOST = 4096

# What a step runs, and how its result is put together.
Compiled: TypeAlias = "tuple[Plan | WaitingPlan, Fetches]"


class Plans(dict[Hashable, "Compiled"]):
    """Approximate LRU cache of compiled plans, keyed by fetches and feeds.

    `plans.get(key)` is a plain dictionary lookup in the recent half and does not record the use. When the recent
    half is full it becomes the older half, from which `again` promotes plans. A plan used at least once per
    `most / 2` insertions is never evicted.
    """

    def __init__(self, most: int = _MOST):
        super().__init__()
        self._half = max(1, most // 2)
        self._older: dict[Hashable, Compiled] = {}
        self._lock = make_lock()

    def again(self, key: Hashable) -> Compiled | None:
        """Promotes the plan for a key that `get` missed to the recent half; None if it is not cached."""
        left = None  # freed outside the lock
        with self._lock:
            plan = self._older.pop(key, None) or self.get(
                key
            )  # another thread may have promoted it already
            if plan is not None:
                left = self._add(key, plan)
        del left
        return plan

    def keep(self, key: Hashable, plan: Compiled) -> None:
        """Adds a plan to the recent half."""
        with self._lock:
            left = self._add(key, plan)
        del left

    def _add(self, key: Hashable, plan: Compiled) -> dict[Hashable, Compiled] | None:
        """Adds a plan; returns the plans evicted for it."""
        left = None
        if len(self) >= self._half:
            left, self._older = self._older, dict(self)
            self.clear()
        self[key] = plan
        return left

    def forget(self) -> None:
        """Drops all plans."""
        with self._lock:
            left, self._older = [self._older, dict(self)], {}
            self.clear()
        del left


def fetch_key(fetches: object) -> Hashable:
    """Returns a dictionary key for a fetch structure."""
    kind: Any = fetches.__class__
    if kind is Tensor or kind is Operation:
        return fetches
    if isinstance(fetches, (list, tuple)):
        return (kind, *map(fetch_key, fetches))
    if isinstance(fetches, Mapping):
        return (kind, *[(k, fetch_key(v)) for k, v in fetches.items()])
    if is_attrs(fetches):
        return (kind, *[fetch_key(getattr(fetches, a.name)) for a in kind.__attrs_attrs__])
    return fetches
