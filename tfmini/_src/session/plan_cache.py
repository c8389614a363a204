"""Approximate LRU cache of compiled plans: by fetches and feeds in a session, by op and dtypes in eager mode."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from tfmini._src.base.locks import make_lock
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.fetches import Fetches, is_attrs

if TYPE_CHECKING:
    from tfmini._src.executor.plan import Plan
    from tfmini._src.executor.waiting_plan import WaitingPlan

# A plan with a few nodes takes 15 KB. A program uses dozens of plans, an interactive session perhaps hundreds.
_MAX_PLANS = 4096

# A step's plan, and the function that assembles its result.
Compiled: TypeAlias = "tuple[Plan | WaitingPlan, Fetches]"


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LRUCache(dict[Key, Value], Generic[Key, Value]):
    """Approximate LRU cache.

    `plans.get(key)` is a plain dictionary lookup in the recent half and does not record the use. When the recent
    half is full it becomes the older half, from which `promote` takes plans. A plan used at least once per
    `size / 2` insertions is never evicted.
    """

    def __init__(self, size: int = _MAX_PLANS):
        super().__init__()
        self._half = max(1, size // 2)
        self._older: dict[Key, Value] = {}
        self._lock = make_lock()

    def promote(self, key: Key) -> Value | None:
        """Promotes the plan for a key that `get` missed to the recent half; None if it is not cached."""
        evicted = None  # freed outside the lock
        with self._lock:
            # Another thread may have promoted it already.
            plan = self._older.pop(key, None) or self.get(key)
            if plan is not None:
                evicted = self._add(key, plan)
        del evicted
        return plan

    def keep(self, key: Key, plan: Value) -> None:
        """Adds a plan to the recent half."""
        with self._lock:
            evicted = self._add(key, plan)
        del evicted

    def _add(self, key: Key, plan: Value) -> dict[Key, Value] | None:
        """Adds a plan; returns the plans evicted for it."""
        evicted = None
        if len(self) >= self._half:
            evicted, self._older = self._older, dict(self)
            self.clear()
        self[key] = plan
        return evicted

    def discard(self, is_meant: Callable[[Key], bool]) -> None:
        """Drops the plans whose keys match."""
        evicted = []  # freed outside the lock
        with self._lock:
            for half in (self, self._older):
                evicted += [half.pop(key) for key in list(half) if is_meant(key)]
        del evicted

    def forget(self) -> None:
        """Drops all plans."""
        with self._lock:
            evicted, self._older = [self._older, dict(self)], {}
            self.clear()
        del evicted


class Plans(LRUCache[Hashable, "Compiled"]):
    """A session's plans."""


def fetch_key(fetches: object) -> Hashable:
    """Returns a dictionary key for a fetch structure."""
    cls: Any = fetches.__class__
    if cls is Tensor or cls is Operation:
        return fetches
    if isinstance(fetches, (list, tuple)):
        return (cls, *map(fetch_key, fetches))
    if isinstance(fetches, Mapping):
        return (cls, *[(k, fetch_key(v)) for k, v in fetches.items()])
    if is_attrs(fetches):
        return (cls, *[fetch_key(getattr(fetches, a.name)) for a in cls.__attrs_attrs__])
    return fetches
