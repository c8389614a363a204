"""Lists and mappings that are tracked: checkpoints and layers look into them."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as AnyMapping
from typing import Any

from tfmini._src.nn.layers.attribute_tracking import layers_in
from tfmini._src.variables.trackable import NoDependency, Trackable, is_trackable
from tfmini._src.variables.variable import Variable


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

    def _held_values(self) -> list:
        raise NotImplementedError("Abstract method")

    def _track_value(self, value: Any, name: str) -> Any:
        if isinstance(value, NoDependency):
            return value.value
        if not is_trackable(value):
            raise ValueError(
                "Only trackable objects (such as Layers or Optimizers) may be stored in a List object. Got "
                f"{value}, which does not inherit from Trackable."
            )
        return self._track_trackable(value, name, overwrite=True)

    @property
    def layers(self) -> list:
        """The contained layers, including those in nested lists and dicts."""
        return [layer for value in self._held_values() for layer in layers_in(value)]

    @property
    def trainable_weights(self) -> list:
        """The trainable variables in it, those of layers first."""
        if not self.trainable:
            return []
        own = [v for v in self._held_values() if isinstance(v, Variable) and v.trainable]
        return [w for layer in self.layers for w in layer.trainable_weights] + own

    @property
    def non_trainable_weights(self) -> list:
        """The variables in it that are not trainable."""
        trained = {id(weight) for weight in self.trainable_weights}
        own = [v for v in self._held_values() if isinstance(v, Variable)]
        found = [w for layer in self.layers for w in layer.weights] + own
        return [weight for weight in found if id(weight) not in trained]

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
        return [loss for layer in self.layers for loss in layer.losses]

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class List(TrackableDataStructure, Sequence):
    """An append-only list of objects that are saved under their indices.

    Args:
      *args, **kwargs: those of `list`: an iterable of the first ones.

    Raises:
      ValueError: something cannot be saved.

    Example: `self.blocks = tf.contrib.checkpoint.List([tf.keras.layers.Dense(3)])`.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        self._storage: list = []
        self.extend(list(*args, **kwargs))

    def _held_values(self) -> list:
        return self._storage

    def append(self, value: Any) -> None:
        """Adds a trackable object.

        Args:
          value: it.
        """
        self._storage.append(self._track_value(value, str(len(self._storage))))

    def extend(self, values: Iterable) -> None:
        """Adds trackable objects.

        Args:
          values: an iterable of them.
        """
        for value in values:
            self.append(value)

    def copy(self) -> Any:
        """A list of the same objects."""
        return type(self)(copy.copy(self._storage))

    __copy__ = copy

    def __deepcopy__(self, memo: dict) -> Any:
        return type(self)(copy.deepcopy(self._storage, memo))

    def __iadd__(  # type: ignore[misc]
        self, values: Iterable
    ) -> Any:
        self.extend(values)
        return self

    def __add__(self, other: Any) -> Any:
        return type(self)(self._storage + list(other))

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


class Mapping(TrackableDataStructure, AnyMapping):
    """An append-only mapping of objects that are saved under their keys.

    Args:
      *args, **kwargs: the first ones, as for a dict; keys are strings.

    Raises:
      TypeError: a key is no string.
      ValueError: something cannot be saved.

    Example: `self.towers = tf.contrib.checkpoint.Mapping(left=left, right=right)`.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        self._storage: dict = {}
        self.update(*args, **kwargs)

    def _held_values(self) -> list:
        return [self._storage[key] for key in sorted(self._storage)]

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Adds objects, given as to a dict."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __setitem__(self, key: str, value: Any) -> None:
        if not isinstance(key, str):
            raise TypeError(f"Mapping accepts only string keys, but got a key {key!r}.")
        value = self._track_value(value, key)
        there = self._storage.setdefault(key, value)
        if there is not value:
            raise ValueError(
                f"Mappings are an append-only data structure. Tried to overwrite the key '{key}' with value {value}, "
                f"but it already contains {there}"
            )

    def __copy__(self) -> Any:
        return type(self)(copy.copy(self._storage))

    def __deepcopy__(self, memo: dict) -> Any:
        return type(self)(copy.deepcopy(self._storage, memo))

    def __getitem__(self, key: str) -> Any:
        """The object under this key."""
        return self._storage[key]

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator:
        return iter(self._storage)

    def __repr__(self) -> str:
        return f"Mapping({self._storage!r})"


class UniqueNameTracker(TrackableDataStructure):
    """Objects that are saved under uniquified names.

    Example:
      self.slots = tf.contrib.checkpoint.UniqueNameTracker()
      self.slots.track(tf.Variable(3.0), "x")  # saved as "x"
      self.slots.track(tf.Variable(5.0), "x")  # saved as "x_1"
    """

    def __init__(self) -> None:
        self._name_counts: dict[str, int] = {}

    def _held_values(self) -> list:
        return [each.ref for each in self._checkpoint_dependencies]

    def track(self, trackable: Any, base_name: str) -> Any:
        """Tracks an object, so that it is saved, and returns it.

        Args:
          trackable: the object.
          base_name: its name, which gets a number where it is taken.

        Raises:
          ValueError: it cannot be saved.
        """
        if not isinstance(trackable, Trackable):
            raise ValueError(
                f"Expected a trackable value, got {trackable} which does not inherit from tf.track.Trackable."
            )
        count = self._name_counts.get(base_name, 0)
        while self._lookup_dependency(_numbered(base_name, count)) is not None:
            count += 1
        self._name_counts[base_name] = count + 1
        return self._track_value(trackable, _numbered(base_name, count))


def _numbered(name: str, number: int) -> str:
    return f"{name}_{number}" if number else name
