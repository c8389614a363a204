"""A graph's collections: named lists of arbitrary values."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from typing import Any

from tfmini._src.base.locks import make_rlock


class Collections:
    """The collections mixin of `Graph`."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = make_rlock()
        self._collections: dict[Hashable, list[Any]] = {}
        self._finalized = False

    def _check_not_finalized(self) -> None:
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    @property
    def collections(self) -> list[Hashable]:
        """Names of all collections."""
        return list(self._collections)

    def get_all_collection_keys(self) -> list[str]:
        """Returns the names of all collections whose name is a string."""
        return [key for key in self._collections if isinstance(key, str)]

    def add_to_collection(self, name: Hashable, value: object) -> None:
        """Appends `value` to a collection, even if it is already in it."""
        self._check_not_finalized()
        with self._lock:
            self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: str | Iterable[Hashable], value: object) -> None:
        """Appends `value` to each collection in `names`, once per distinct name."""
        with self._lock:
            for name in (names,) if isinstance(names, str) else dict.fromkeys(names):
                if self._finalized:
                    self._check_not_finalized()
                self._collections.setdefault(name, []).append(value)

    def get_collection_ref(self, name: Hashable) -> list[Any]:
        """Returns the collection's own list, not a copy; modifying it modifies the collection."""
        with self._lock:
            return self._collections.setdefault(name, [])

    def get_collection(self, name: Hashable, scope: str | None = None) -> list[Any]:
        """Returns a copy of the collection; with `scope`, only items whose name matches this regular expression."""
        with self._lock:
            items = self._collections.get(name)
            if scope is None or items is None:
                return list(items or ())
            pattern = re.compile(scope)
            return [item for item in items if hasattr(item, "name") and pattern.match(item.name)]

    def clear_collection(self, name: Hashable) -> None:
        """Removes a collection."""
        self._check_not_finalized()
        with self._lock:
            self._collections.pop(name, None)
