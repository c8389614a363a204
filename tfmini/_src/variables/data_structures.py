"""Tracked lists and mappings, whose contents are visible to checkpoints and layers.

Lists and dicts assigned to attributes of trackable objects are wrapped in a `ListWrapper` or `_DictWrapper`, which
tracks items added later, and cannot be saved after changes that would break restoration.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Iterable, Iterator, MutableMapping, MutableSequence, Sequence
from typing import Any

from tfmini._src.graph.tensor import TensorLike
from tfmini._src.variables.trackable import NoDependency, Trackable, TrackableReference
from tfmini._src.variables.variable import Variable

# Built-in base classes of the wrappers, whose method signatures differ.
_MUTABLE_SEQUENCE: Any = MutableSequence
_MUTABLE_MAPPING: Any = MutableMapping
_LIST: Any = list
_DICT: Any = dict


def wrap(value: Any) -> Any:
    """Wraps a list or dict for tracking, unwraps a NoDependency, and returns other values unchanged."""
    if isinstance(value, NoDependency):
        return value.value
    if type(value) is list:
        return ListWrapper(value)
    if type(value) in (dict, OrderedDict):
        return _DictWrapper(value)
    return value


def tracked_attribute(owner: Trackable, name: str, value: Any) -> Any:
    """Wraps a value for an attribute, and tracks it as a dependency of `owner` if it can be saved."""
    tracked = wrap(value)
    if isinstance(tracked, Trackable) and not isinstance(value, NoDependency):
        owner._track_trackable(tracked, name, overwrite=True)
    return tracked


def layers_in(value: Any) -> Iterator[Any]:
    """Yields the layers in nested lists and dicts; a layer yields itself."""
    if hasattr(value, "_child_layers"):
        yield value
    elif isinstance(value, (dict, list)):
        items = [value[k] for k in sorted(value, key=str)] if isinstance(value, dict) else value
        for item in items:
            yield from layers_in(item)
    elif isinstance(value, TrackableDataStructure):
        yield from value.layers


class _UntrackableError(ValueError):
    """Raised for a value that cannot be saved in a container of trackable values."""


class TrackableDataStructure(Trackable):
    """Base class of tracked containers, whose elements have names and are never replaced."""

    _trainable = True

    @property
    def trainable(self) -> bool:
        """Whether the contained variables are trainable; settable."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value

    @property
    def _own_variables(self) -> list:
        """All variables ever added, in order."""
        return vars(self).setdefault("_variables_put_in", [])

    def _held_values(self) -> list:
        raise NotImplementedError("Abstract method")

    def _track(self, value: Any, name: str) -> Any:
        value = tracked_attribute(self, name, value)
        if isinstance(value, Variable):
            self._own_variables.append(value)
        if hasattr(value, "_use_resource_variables"):  # `tf.layers` layers
            value._use_resource_variables = True
        return value

    def _track_value(self, value: Any, name: str) -> Any:
        value = self._track(value, name)
        if not isinstance(value, Trackable):
            raise _UntrackableError(
                "Only trackable objects (such as Layers or Optimizers) may be stored in a List object. Got "
                f"{value}, which does not inherit from Trackable."
            )
        return value

    @property
    def layers(self) -> list[Any]:
        """The contained layers, each only once, including layers in nested lists and dicts."""
        layers = [layer for value in self._held_values() for layer in layers_in(value)]
        return list({id(layer): layer for layer in layers}.values())

    def _weights_within(self, name: str) -> list:
        """Concatenates an attribute, such as `trainable_weights`, of all contained layers and containers."""
        holders = [value for value in self._held_values() if hasattr(value, "trainable_weights")]
        return [weight for value in holders for weight in getattr(value, name)]

    @property
    def trainable_weights(self) -> list[Any]:
        """The contained trainable variables; those contained directly come last."""
        if not self.trainable:
            return []
        own_weights = [v for v in self._own_variables if v.trainable]
        return self._weights_within("trainable_weights") + own_weights

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The contained non-trainable variables; those contained directly come last."""
        own_weights = [v for v in self._own_variables if not v.trainable]
        weights = self._weights_within("non_trainable_weights")
        if not self.trainable:
            trained = [v for v in self._own_variables if v.trainable]
            weights = self._weights_within("trainable_weights") + trained + weights
        return weights + own_weights

    @property
    def weights(self) -> list[Any]:
        """All contained variables; trainable variables come first."""
        return self.trainable_weights + self.non_trainable_weights

    variables = weights
    trainable_variables = trainable_weights
    non_trainable_variables = non_trainable_weights

    @property
    def updates(self) -> list[Any]:
        """The updates of the contained layers."""
        return [update for layer in self.layers for update in layer.updates]

    @property
    def losses(self) -> list[Any]:
        """The losses of the contained layers."""
        holders = [layer for layer in self.layers if hasattr(layer, "losses")]
        return [loss for layer in holders for loss in layer.losses]

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class StoredDataStructure(TrackableDataStructure):
    """Base class of containers backed by a list or dict, which is copied with the container."""

    _storage: Any

    def _mark(self, other: Any) -> Any:
        """Marks a copy as unsaveable if the original is unsaveable."""
        return other

    def __copy__(self) -> Any:
        result: Any = type(self)
        return self._mark(result(copy.copy(self._storage)))

    def __deepcopy__(self, memo: dict[Any, Any]) -> Any:
        result: Any = type(self)
        return self._mark(result(copy.deepcopy(self._storage, memo)))


class List(StoredDataStructure, Sequence):
    """Append-only list of objects that are saved under their indices.

    Args:
      *args, **kwargs: as in `list`, an iterable of initial elements.

    Raises:
      ValueError: if an element cannot be saved.

    Example: `self.blocks = tf.contrib.checkpoint.List([tf.keras.layers.Dense(3)])`.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        self._storage = []
        self.extend(list(*args, **kwargs))

    def _held_values(self) -> list:
        return self._storage

    def append(self, value: TensorLike) -> None:
        """Appends `value`, a trackable object."""
        self._storage.append(self._track_value(value, str(len(self._storage))))

    def extend(self, values: Iterable[Any]) -> None:
        """Appends each of `values`, which are trackable objects."""
        for value in values:
            self.append(value)

    def copy(self) -> Any:
        """Returns a shallow copy."""
        return type(self)(copy.copy(self._storage))

    def __iadd__(self, values: Iterable[Any]) -> Any:  # type: ignore[misc]
        self.extend(values)
        return self

    def __add__(self, other: Any) -> Any:
        return type(self)(self._storage + getattr(other, "_storage", other))

    def __radd__(self, other: Any) -> Any:
        return type(self)(other) + self

    def __imul__(self, times: int) -> Any:
        if times <= 0:
            raise ValueError(
                f"List only supports append, multiplying in place by {times} removes elements."
            )
        self.extend(self._storage * (times - 1))
        return self

    def __mul__(self, times: int) -> Any:
        return type(self)(self._storage * times)

    __rmul__ = __mul__

    def __getitem__(self, key: Any) -> Any:
        """Returns the object at an index, or a list of objects for a slice."""
        return self._storage[key]

    def __len__(self) -> int:
        return len(self._storage)

    def __repr__(self) -> str:
        return f"List({self._storage!r})"


_NO_DEPENDENCY = (
    "\n\nIf you don't need this {0} checkpointed, wrap it in a tf.contrib.checkpoint.NoDependency object; it will be "
    "automatically un-wrapped and subsequently ignored."
)


class ListWrapper(List, _MUTABLE_SEQUENCE, _LIST):
    """Wrapper of a list assigned to an attribute, which may contain any values, is mutable, and writes to that list.

    It cannot be saved after a saved element was replaced, moved or removed, or the underlying list was modified
    directly.
    """

    def __init__(self, wrapped_list: list[Any]):
        self._storage = wrapped_list
        self._has_moved = self._was_changed_outside = False
        for index, value in enumerate(wrapped_list):
            wrapped_list[index] = self._track_value(value, str(index))
        self._last_known: list | None = list(wrapped_list)

    def _track_value(self, value: Any, name: str) -> Any:
        return self._track(value, name)

    def _check_changes(self) -> None:
        """Records whether the underlying list was modified directly."""
        if self._has_moved or self._was_changed_outside:
            return
        if self._storage != self._last_known:
            self._was_changed_outside, self._last_known = True, None

    def _note_changes(self) -> None:
        if not (self._has_moved or self._was_changed_outside):
            self._last_known = list(self._storage)

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        self._check_changes()
        message = (
            f"Unable to save the object {self} (a list wrapper constructed to track trackable "
            "TensorFlow objects). "
        )
        if self._has_moved:
            raise ValueError(
                f"{message}A list element was replaced (__setitem__, __setslice__), deleted "
                "(__delitem__, __delslice__), or moved (sort). In order to support restoration on "
                "object creation, tracking is exclusively for "
                f"append-only data structures.{_NO_DEPENDENCY.format('list')}"
            )
        if self._was_changed_outside:
            raise ValueError(
                f"{message}The wrapped list was modified outside the wrapper (its final value was {self._storage}, its "
                f"value when a checkpoint dependency was added was {self._last_known}), which breaks restoration on "
                f"object creation.{_NO_DEPENDENCY.format('list')}"
            )
        return super()._checkpoint_dependencies

    def append(self, value: Any) -> None:
        """Appends a value."""
        self._check_changes()
        super().append(value)
        self._note_changes()

    def extend(self, values: Iterable[Any]) -> None:
        """Appends values."""
        self._check_changes()
        for value in list(values):
            super().append(value)
        self._note_changes()

    def insert(self, index: Any, value: Any) -> None:
        """Inserts a value; the list cannot be saved afterwards."""
        self._has_moved = True
        self._storage.insert(index, value)

    def sort(self) -> None:
        """Sorts the values; the list cannot be saved afterwards."""
        self._has_moved = True
        self._storage.sort()

    def __setitem__(self, key: Any, value: Any) -> None:
        self._check_changes()
        if isinstance(key, slice):
            self._set_slice(key, value)
        else:
            if isinstance(self._storage[key], Trackable):
                self._has_moved = True
            self._storage[key] = self._track_value(value, str(key))
        self._note_changes()

    def _set_slice(self, key: slice, value: Any) -> None:
        old_items = list(self._storage)
        self._storage[key] = value
        self._has_moved |= any(isinstance(old, Trackable) for old in old_items)
        for index, new in enumerate(self._storage):
            if new is not None and not (index < len(old_items) and new is old_items[index]):
                self._storage[index] = self._track_value(new, str(index))

    def __delitem__(self, key: Any) -> None:
        self._has_moved = True
        del self._storage[key]

    def __imul__(self, times: int) -> Any:
        if times > 0:
            return super().__imul__(times)
        self._storage *= times
        return self

    def __iter__(self) -> Iterator:
        return iter(self._storage)

    def _mark(self, other: Any) -> Any:
        other._has_moved, other._was_changed_outside = self._has_moved, self._was_changed_outside
        return other

    def __reduce_ex__(self, protocol: Any) -> tuple:
        return type(self), (self._storage,)

    def __eq__(self, other: object) -> bool:
        return self._storage == getattr(other, "_storage", other)

    def __ne__(self, other: object) -> bool:
        return self._storage != getattr(other, "_storage", other)

    def __lt__(self, other: Any) -> bool:
        return self._storage < getattr(other, "_storage", other)

    def __le__(self, other: Any) -> bool:
        return self._storage <= getattr(other, "_storage", other)

    def __gt__(self, other: Any) -> bool:
        return self._storage > getattr(other, "_storage", other)

    def __ge__(self, other: Any) -> bool:
        return self._storage >= getattr(other, "_storage", other)

    def __hash__(self) -> int:
        raise TypeError("unhashable type: 'ListWrapper'")

    def __repr__(self) -> str:
        return f"ListWrapper({self._storage!r})"


class _DictWrapper(StoredDataStructure, _MUTABLE_MAPPING, _DICT):
    """Wrapper of a dict assigned to an attribute, which may contain any values, is mutable, and writes to that dict.

    It cannot be saved with a trackable value under a non-string key, or after the underlying dict was modified
    directly. It is itself a dict that mirrors the items, for C code that checks the size.
    """

    def __init__(self, wrapped_dict: Any = ()):
        self._storage = wrapped_dict if isinstance(wrapped_dict, dict) else dict(wrapped_dict)
        self._has_other_keys = self._was_changed_outside = False
        for key, value in self._storage.items():
            self._storage[key] = self._track_item(key, value)
        self._last_known: dict | None = None
        self._note_changes()

    def _held_values(self) -> list:
        return [self._storage[key] for key in sorted(self._storage)]

    def _track_item(self, key: Any, value: Any) -> Any:
        if isinstance(key, str):
            return self._track(value, key)
        tracked = wrap(value)
        if isinstance(tracked, Trackable) and not isinstance(value, NoDependency):
            self._has_other_keys = True
        return tracked

    def _check_changes(self) -> None:
        """Records whether the underlying dict was modified directly."""
        if self._has_other_keys or self._was_changed_outside:
            return
        if self._storage != self._last_known:
            self._was_changed_outside, self._last_known = True, None

    def _note_changes(self) -> None:
        dict.clear(self)
        dict.update(self, self._storage)
        if not (self._has_other_keys or self._was_changed_outside):
            self._last_known = dict(self._storage)

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        self._check_changes()
        message = (
            f"Unable to save the object {self} (a dictionary wrapper constructed automatically on attribute "
            "assignment). The wrapped dictionary "
        )
        if self._has_other_keys:
            raise ValueError(
                f"{message}contains a non-string key which maps to a trackable object or mutable data structure."
                f"{_NO_DEPENDENCY.format('dictionary')}"
            )
        if self._was_changed_outside:
            raise ValueError(
                f"{message}was modified outside the wrapper (its final value was {self}, its value when a checkpoint "
                f"dependency was added was {self._last_known}), which breaks restoration on object creation."
                f"{_NO_DEPENDENCY.format('dictionary')}"
            )
        return super()._checkpoint_dependencies

    def __setitem__(self, key: Any, value: Any) -> None:
        self._check_changes()
        self._storage[key] = self._track_item(key, value)
        self._note_changes()

    def __delitem__(self, key: Any) -> None:
        self._check_changes()
        del self._storage[key]
        self._note_changes()

    def pop(self, *args: Any) -> Any:
        """Removes a key and returns its value; the dict cannot be saved afterwards."""
        return self._storage.pop(*args)

    def popitem(self) -> Any:
        """Removes and returns the last item; the dict cannot be saved afterwards."""
        return self._storage.popitem()

    def clear(self) -> None:
        """Removes all keys; the dict cannot be saved afterwards."""
        self._storage.clear()

    def setdefault(self, *args: Any) -> Any:
        """Returns the value of a key, set if missing; the dict cannot be saved afterwards."""
        return self._storage.setdefault(*args)

    def __getitem__(self, key: Any) -> Any:
        return self._storage[key]

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator:
        return iter(self._storage)

    def _mark(self, other: Any) -> Any:
        other._has_other_keys = self._has_other_keys
        other._was_changed_outside = self._was_changed_outside
        return other

    copy = StoredDataStructure.__copy__

    def __reduce_ex__(self, protocol: Any) -> tuple:
        return type(self), (self._storage,)

    def __eq__(self, other: object) -> bool:
        return self._storage == getattr(other, "_storage", other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        raise TypeError("unhashable type: 'DictWrapper'")

    def __str__(self) -> str:
        return str(self._storage)

    def __repr__(self) -> str:
        return f"DictWrapper({self._storage!r})"
