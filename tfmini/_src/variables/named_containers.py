"""Containers of named trackable objects: a mapping, and a tracker that makes names unique."""

from __future__ import annotations

from collections.abc import Iterator, Mapping as AnyMapping
from typing import Any

from tfmini._src.variables.data_structures import StoredDataStructure, TrackableDataStructure
from tfmini._src.variables.trackable import Trackable


class Mapping(StoredDataStructure, AnyMapping):
    """Append-only mapping of objects that are saved under their keys.

    Args:
      *args, **kwargs: initial items, as in `dict`; keys are strings.

    Raises:
      TypeError: if a key is not a string.
      ValueError: if a value cannot be saved.

    Example: `self.towers = tf.contrib.checkpoint.Mapping(left=left, right=right)`.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        self._storage = {}
        self.update(*args, **kwargs)

    def _held_values(self) -> list:
        return [self._storage[key] for key in sorted(self._storage)]

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Adds items; arguments are as in `dict`."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __setitem__(self, key: str, value: Any) -> None:
        if not isinstance(key, str):
            raise TypeError(f"Mapping accepts only string keys, but got a key {key!r}.")
        value = self._track_value(value, key)
        existing_value = self._storage.setdefault(key, value)
        if existing_value is not value:
            raise ValueError(
                f"Mappings are an append-only data structure. Tried to overwrite the key '{key}' with value {value}, "
                f"but it already contains {existing_value}"
            )

    def __getitem__(self, key: str) -> Any:
        """Returns the object under this key."""
        return self._storage[key]

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._storage)

    def __repr__(self) -> str:
        return f"Mapping({self._storage!r})"


class UniqueNameTracker(TrackableDataStructure):
    """Container of objects that are saved under unique names.

    Example:

      self.slots = tf.contrib.checkpoint.UniqueNameTracker()
      self.slots.track(tf.Variable(3.0), "x")  # saved as "x"
      self.slots.track(tf.Variable(5.0), "x")  # saved as "x_1"
    """

    def __init__(self) -> None:
        self._name_counts: dict[str, int] = {}

    def _held_values(self) -> list:
        return [dependency.ref for dependency in self._checkpoint_dependencies]

    def track(self, trackable: Trackable, base_name: str) -> Any:
        """Tracks an object for saving and returns it.

        Args:
          trackable: the object.
          base_name: its name, to which a number is appended if it is already used.

        Raises:
          ValueError: if the object cannot be saved.
        """
        if not isinstance(trackable, Trackable):
            raise ValueError(
                f"Expected a trackable value, got {trackable} which does not inherit from tf.track.Trackable."
            )
        count = self._name_counts.get(base_name, 0)
        while self._lookup_dependency(_numbered_name(base_name, count)) is not None:
            count += 1
        self._name_counts[base_name] = count + 1
        return self._track_value(trackable, _numbered_name(base_name, count))


def _numbered_name(name: str, suffix: int) -> str:
    return f"{name}_{suffix}" if suffix else name
