"""Lists and mappings that are tracked: checkpoints and layers look into them.

Lists and dicts that are assigned to attributes of trackable objects become a `ListWrapper` and a `_DictWrapper`, which
track what is put into them later, and refuse to be saved after changes that break its restoration.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Iterable, Iterator, MutableMapping, MutableSequence, Sequence
from typing import Any

from tfmini._src.variables.trackable import NoDependency, Trackable, TrackableReference
from tfmini._src.variables.variable import Variable

# The built-in classes that wrappers pass for, whose methods have other signatures.
_MUTABLE_SEQUENCE: Any = MutableSequence
_MUTABLE_MAPPING: Any = MutableMapping
_LIST: Any = list
_DICT: Any = dict


def wrapped(value: Any) -> Any:
    """A list or a dict as one that is tracked, what a NoDependency holds, and any other value itself."""
    if isinstance(value, NoDependency):
        return value.value
    if type(value) is list:
        return ListWrapper(value)
    if type(value) in (dict, OrderedDict):
        return _DictWrapper(value)
    return value


def tracked_attribute(owner: Trackable, name: str, value: Any) -> Any:
    """A value as it is to be held by an object: `wrapped`, and its dependency if it can be saved."""
    found = wrapped(value)
    if isinstance(found, Trackable) and not isinstance(value, NoDependency):
        owner._track_trackable(found, name, overwrite=True)
    return found


def layers_in(value: Any) -> Iterator[Any]:
    """The layers in nested lists and dicts; a layer yields itself."""
    if hasattr(value, "_child_layers"):
        yield value
    elif isinstance(value, (dict, list)):
        items = [value[k] for k in sorted(value, key=str)] if isinstance(value, dict) else value
        for item in items:
            yield from layers_in(item)
    elif isinstance(value, TrackableDataStructure):
        yield from value.layers


class _UntrackableError(ValueError):
    """The error for a value that cannot be saved, in a container of such that can."""


class TrackableDataStructure(Trackable):
    """Base of tracked containers: each element has a name and is never replaced."""

    _trainable = True

    @property
    def trainable(self) -> bool:
        """Whether the variables in it are trained; may be set."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value

    @property
    def _own_variables(self) -> list:
        """The variables that were ever put into it, in order."""
        return vars(self).setdefault("_variables_put_in", [])

    def _held_values(self) -> list:
        raise NotImplementedError("Abstract method")

    def _tracked(self, value: Any, name: str) -> Any:
        value = tracked_attribute(self, name, value)
        if isinstance(value, Variable):
            self._own_variables.append(value)
        if hasattr(value, "_use_resource_variables"):  # layers of tf.layers
            value._use_resource_variables = True
        return value

    def _track_value(self, value: Any, name: str) -> Any:
        value = self._tracked(value, name)
        if not isinstance(value, Trackable):
            raise _UntrackableError(
                "Only trackable objects (such as Layers or Optimizers) may be stored in a List object. Got "
                f"{value}, which does not inherit from Trackable."
            )
        return value

    @property
    def layers(self) -> list:
        """The contained layers, each once, including those in nested lists and dicts."""
        found = [layer for value in self._held_values() for layer in layers_in(value)]
        return list({id(layer): layer for layer in found}.values())

    def _weights_within(self, name: str) -> list:
        """The weights of an attribute's name of the layers and containers in it, in their order."""
        holders = [value for value in self._held_values() if hasattr(value, "trainable_weights")]
        return [weight for value in holders for weight in getattr(value, name)]

    @property
    def trainable_weights(self) -> list:
        """The trainable variables in it, its own last."""
        if not self.trainable:
            return []
        own = [v for v in self._own_variables if v.trainable]
        return self._weights_within("trainable_weights") + own

    @property
    def non_trainable_weights(self) -> list:
        """The variables in it that are not trainable, its own last."""
        own = [v for v in self._own_variables if not v.trainable]
        found = self._weights_within("non_trainable_weights")
        if not self.trainable:
            trained = [v for v in self._own_variables if v.trainable]
            found = self._weights_within("trainable_weights") + trained + found
        return found + own

    @property
    def weights(self) -> list:
        """All variables in it, trainable ones first."""
        return self.trainable_weights + self.non_trainable_weights

    variables = weights
    trainable_variables = trainable_weights
    non_trainable_variables = non_trainable_weights

    @property
    def updates(self) -> list:
        """The updates of the layers in it."""
        return [update for layer in self.layers for update in layer.updates]

    @property
    def losses(self) -> list:
        """The losses of the layers in it."""
        holders = [layer for layer in self.layers if hasattr(layer, "losses")]
        return [loss for layer in holders for loss in layer.losses]

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class StoredDataStructure(TrackableDataStructure):
    """Base of those that hold a list or a dict, which is copied with them."""

    _storage: Any

    def _marked(self, other: Any) -> Any:
        """A copy, as little to be saved as this."""
        return other

    def __copy__(self) -> Any:
        made: Any = type(self)
        return self._marked(made(copy.copy(self._storage)))

    def __deepcopy__(self, memo: dict) -> Any:
        made: Any = type(self)
        return self._marked(made(copy.deepcopy(self._storage, memo)))


class List(StoredDataStructure, Sequence):
    """An append-only list of objects that are saved under their indices.

    Args:
      *args, **kwargs: those of `list`: an iterable of the first ones.

    Raises:
      ValueError: something cannot be saved.

    Example: `self.blocks = tf.contrib.checkpoint.List([tf.keras.layers.Dense(3)])`.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        self._storage = []
        self.extend(list(*args, **kwargs))

    def _held_values(self) -> list:
        return self._storage

    def append(self, value: Any) -> None:
        """Adds `value`, a trackable object."""
        self._storage.append(self._track_value(value, str(len(self._storage))))

    def extend(self, values: Iterable) -> None:
        """Adds each of `values`, trackable objects."""
        for value in values:
            self.append(value)

    def copy(self) -> Any:
        """A list of the same objects."""
        return type(self)(copy.copy(self._storage))

    def __iadd__(self, values: Iterable) -> Any:  # type: ignore[misc]
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
        """The object at this index; for a slice, a list of them."""
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
    """A list assigned to an attribute: it holds anything, in the list that was assigned, and may change.

    After an element that is saved was replaced, moved or removed, or the list itself was changed, it refuses to be
    saved.

    Args:
      wrapped_list: the list.
    """

    def __init__(self, wrapped_list: list):
        self._storage = wrapped_list
        self._has_moved = self._was_changed_outside = False
        for number, value in enumerate(wrapped_list):
            wrapped_list[number] = self._track_value(value, str(number))
        self._known: list | None = list(wrapped_list)

    def _track_value(self, value: Any, name: str) -> Any:
        return self._tracked(value, name)

    def _check_changes(self) -> None:
        """Notes whether the list was changed, but by this object."""
        if self._has_moved or self._was_changed_outside:
            return
        if self._storage != self._known:
            self._was_changed_outside, self._known = True, None

    def _note_changes(self) -> None:
        if not (self._has_moved or self._was_changed_outside):
            self._known = list(self._storage)

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        self._check_changes()
        about = f"Unable to save the object {self} (a list wrapper constructed to track trackable TensorFlow objects). "
        if self._has_moved:
            raise ValueError(
                f"{about}A list element was replaced (__setitem__, __setslice__), deleted (__delitem__, __delslice__), "
                "or moved (sort). In order to support restoration on object creation, tracking is exclusively for "
                f"append-only data structures.{_NO_DEPENDENCY.format('list')}"
            )
        if self._was_changed_outside:
            raise ValueError(
                f"{about}The wrapped list was modified outside the wrapper (its final value was {self._storage}, its "
                f"value when a checkpoint dependency was added was {self._known}), which breaks restoration on object "
                f"creation.{_NO_DEPENDENCY.format('list')}"
            )
        return super()._checkpoint_dependencies

    def append(self, value: Any) -> None:
        """Adds a value."""
        self._check_changes()
        super().append(value)
        self._note_changes()

    def extend(self, values: Iterable) -> None:
        """Adds values."""
        self._check_changes()
        for value in list(values):
            super().append(value)
        self._note_changes()

    def insert(self, index: Any, value: Any) -> None:
        """Inserts a value; then it cannot be saved any more."""
        self._has_moved = True
        self._storage.insert(index, value)

    def sort(self) -> None:
        """Sorts the values; then it cannot be saved any more."""
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
        before = list(self._storage)
        self._storage[key] = value
        self._has_moved |= any(isinstance(old, Trackable) for old in before)
        for number, new in enumerate(self._storage):
            if new is not None and not (number < len(before) and new is before[number]):
                self._storage[number] = self._track_value(new, str(number))

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

    def _marked(self, other: Any) -> Any:
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
    """A dict assigned to an attribute: it holds anything, in the dict that was assigned, and may change.

    With a trackable value under a key that is no string, or after the dict itself was changed, it refuses to be saved.
    It has the same items as a dict of C code, which looks at their number.

    Args:
      wrapped_dict: the dict, or pairs of keys and values.
    """

    def __init__(self, wrapped_dict: Any = ()):
        self._storage = wrapped_dict if isinstance(wrapped_dict, dict) else dict(wrapped_dict)
        self._has_other_keys = self._was_changed_outside = False
        for key, value in self._storage.items():
            self._storage[key] = self._track_item(key, value)
        self._known: dict | None = None
        self._note_changes()

    def _held_values(self) -> list:
        return [self._storage[key] for key in sorted(self._storage)]

    def _track_item(self, key: Any, value: Any) -> Any:
        if isinstance(key, str):
            return self._tracked(value, key)
        found = wrapped(value)
        if isinstance(found, Trackable) and not isinstance(value, NoDependency):
            self._has_other_keys = True
        return found

    def _check_changes(self) -> None:
        """Notes whether the dict was changed, but by this object."""
        if self._has_other_keys or self._was_changed_outside:
            return
        if self._storage != self._known:
            self._was_changed_outside, self._known = True, None

    def _note_changes(self) -> None:
        dict.clear(self)
        dict.update(self, self._storage)
        if not (self._has_other_keys or self._was_changed_outside):
            self._known = dict(self._storage)

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        self._check_changes()
        about = (
            f"Unable to save the object {self} (a dictionary wrapper constructed automatically on attribute "
            "assignment). The wrapped dictionary "
        )
        if self._has_other_keys:
            raise ValueError(
                f"{about}contains a non-string key which maps to a trackable object or mutable data structure."
                f"{_NO_DEPENDENCY.format('dictionary')}"
            )
        if self._was_changed_outside:
            raise ValueError(
                f"{about}was modified outside the wrapper (its final value was {self}, its value when a checkpoint "
                f"dependency was added was {self._known}), which breaks restoration on object creation."
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
        """Removes a key, and returns its value; then it cannot be saved any more."""
        return self._storage.pop(*args)

    def popitem(self) -> Any:
        """Removes the last key, and returns it with its value; then it cannot be saved any more."""
        return self._storage.popitem()

    def clear(self) -> None:
        """Removes all keys; then it cannot be saved any more."""
        self._storage.clear()

    def setdefault(self, *args: Any) -> Any:
        """The value of a key, which is given one if it has none; then it cannot be saved any more."""
        return self._storage.setdefault(*args)

    def __getitem__(self, key: Any) -> Any:
        return self._storage[key]

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator:
        return iter(self._storage)

    def _marked(self, other: Any) -> Any:
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
