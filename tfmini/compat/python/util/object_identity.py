"""`tensorflow.python.util.object_identity`: dictionaries and sets that compare objects by identity."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, MutableMapping, MutableSet
from typing import Any

from tfmini._src.base.read_only import read_only

__all__ = [
    "ObjectIdentityDictionary",
    "ObjectIdentitySet",
    "ObjectIdentityWeakKeyDictionary",
    "ObjectIdentityWeakSet",
    "Reference",
    "_ObjectIdentityWrapper",
    "_WeakObjectIdentityWrapper",
]


class _ObjectIdentityWrapper:
    """Wraps an object as a key that equals only keys of the same object.

    Raises:
      TypeError: if compared with an object of another type.
    """

    unwrapped: Any = read_only("The object.", "_wrapped")

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _ObjectIdentityWrapper):
            raise TypeError("Cannot compare wrapped object with unwrapped object")
        return self._wrapped is other._wrapped

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} wrapping {self._wrapped!r}>"


class _WeakObjectIdentityWrapper(_ObjectIdentityWrapper):
    """A key with a weak reference; `unwrapped` is None after the object has been freed."""

    def __init__(self, wrapped: Any) -> None:
        super().__init__(weakref.ref(wrapped))  # one object gives the same reference each time

    @property
    def unwrapped(self) -> Any:
        return self._wrapped()


class Reference(_ObjectIdentityWrapper):
    """A reference to an object, which `deref()` returns."""

    unwrapped = property()

    def deref(self) -> Any:
        """Returns the object."""
        return self._wrapped


class ObjectIdentityDictionary(MutableMapping):
    """A dict whose keys may be any objects, including lists."""

    _key = _ObjectIdentityWrapper

    def __init__(self) -> None:
        self._values: dict[_ObjectIdentityWrapper, Any] = {}

    def __getitem__(self, key: Any) -> Any:
        return self._values[self._key(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._values[self._key(key)] = value

    def __delitem__(self, key: Any) -> None:
        del self._values[self._key(key)]

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Any]:
        return _alive(self._values)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._values!r})"


class ObjectIdentityWeakKeyDictionary(ObjectIdentityDictionary):
    """A dict with weak keys, whose entries disappear with their keys."""

    _key = _WeakObjectIdentityWrapper


class ObjectIdentitySet(MutableSet):
    """A set of any objects, including lists."""

    _key: type[_ObjectIdentityWrapper] = _ObjectIdentityWrapper

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._keys: dict[_ObjectIdentityWrapper, None] = {}
        self.update(items)

    def __contains__(self, key: Any) -> bool:
        return self._key(key) in self._keys

    def add(self, key: Any) -> None:
        """Adds an object."""
        self._keys[self._key(key)] = None

    def discard(self, key: Any) -> None:
        """Removes an object, if present."""
        self._keys.pop(self._key(key), None)

    def update(self, items: Iterable[Any]) -> None:
        """Adds several objects."""
        for item in items:
            self.add(item)

    def intersection(self, items: Iterable[Any]) -> set[_ObjectIdentityWrapper]:
        """Returns the keys of the objects that are also in this set."""
        return {key for key in map(self._key, items) if key in self._keys}

    def difference(self, items: Iterable[Any]) -> ObjectIdentitySet:
        """Returns the set of the objects in this set that are not among `items`."""
        excluded = set(map(_ObjectIdentityWrapper, items))
        return ObjectIdentitySet(o for o in self if _ObjectIdentityWrapper(o) not in excluded)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Any]:
        return _alive(self._keys)


class ObjectIdentityWeakSet(ObjectIdentitySet):
    """A set with weak references to its objects."""

    _key = _WeakObjectIdentityWrapper


def _alive(keys: dict[_ObjectIdentityWrapper, Any]) -> Iterator[Any]:
    """Yields the live objects of keys; removes the keys of freed objects."""
    for key in list(keys):
        target = key.unwrapped
        if target is None and isinstance(key, _WeakObjectIdentityWrapper):
            del keys[key]
        else:
            yield target
