"""Trackable objects for object-based checkpoints, which list their dependencies and their own saveables."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar, cast

from tfmini._src.graph.tensor import TensorLike

_Method = TypeVar("_Method", bound=Callable[..., Any])
_DEPENDENCIES = "_self_unconditional_dependency_names"
_DEFERRED_ATTRIBUTE = "_self_unconditional_deferred_dependencies"
_NAME_BASED_ATTRIBUTE = "_self_name_based_restores"
TRACKS = "_self_setattr_tracking"
# Name of the value attribute in checkpoints.
VARIABLE_VALUE_KEY = "VARIABLE_VALUE"


class TrackableReference(NamedTuple):
    """A named dependency of an object."""

    name: str
    ref: Any


class NoDependency:
    """Wraps an attribute value to exclude it from checkpoints; the attribute is set to the value itself.

    Example: `module.cache = tf.contrib.checkpoint.NoDependency(tf.Variable(0.0))`.
    """

    def __init__(self, value: TensorLike):
        self.value = value


class NotTrackable:
    """Mixin for classes that cannot be saved although one of their base classes is trackable."""


class Trackable:
    """An object tracked by object-based checkpoints.

    Dependencies are added by `_track_trackable`. Subclasses with other dependencies override
    `_checkpoint_dependencies` and `_lookup_dependency`, and list their own saveables in
    `_gather_saveables_for_checkpoint`.
    """

    def _maybe_initialize_trackable(self) -> None:
        vars(self).setdefault(_DEPENDENCIES, {})

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        """The object's dependencies by name, in insertion order."""
        return [TrackableReference(*item) for item in vars(self).get(_DEPENDENCIES, {}).items()]

    def _lookup_dependency(self, name: str) -> Any:
        """Returns the dependency with this name; None if the object lacks it."""
        return vars(self).get(_DEPENDENCIES, {}).get(name)

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Adds an object as a dependency, and returns it.

        Pending checkpoint values for this name are restored.

        Args:
          trackable: a Trackable.
          name: its name.
          overwrite: whether it may replace an existing dependency.
        """
        if not isinstance(trackable, Trackable):
            raise TypeError(
                f"Trackable._track_trackable() passed type {type(trackable)}, not a Trackable."
            )
        existing_value = self._lookup_dependency(name)
        if existing_value is not None and existing_value is not trackable and not overwrite:
            raise ValueError(
                f"Called Trackable._track_trackable() with name='{name}', but a Trackable with this name is already "
                "declared as a dependency. Names must be unique (or overwrite=True)."
            )
        vars(self).setdefault(_DEPENDENCIES, {})[name] = trackable
        if existing_value is None:
            self._handle_deferred_dependencies(name, trackable)
        return trackable

    def _untrack(self, name: str) -> None:
        """Removes the dependency with this name."""
        vars(self).get(_DEPENDENCIES, {}).pop(name, None)

    def _defer_dependency(self, name: Hashable, order: int, restore: Callable[[Any], None]) -> None:
        """Registers a function to be called with the dependency of this name when it is added.

        For an optimizer slot, the name consists of the slot name and the key of its variable.
        """
        vars(self).setdefault(_DEFERRED_ATTRIBUTE, {}).setdefault(name, []).append((order, restore))

    def _handle_deferred_dependencies(self, name: Hashable, trackable: Any) -> None:
        """Runs the restores deferred until this dependency was added; the last request runs first and prevails."""
        deferred = vars(self).get(_DEFERRED_ATTRIBUTE, {}).pop(name, ())
        for _, restore in sorted(deferred, key=itemgetter(0), reverse=True):
            restore(trackable)
        for restore in vars(self).get(_NAME_BASED_ATTRIBUTE, ()):
            trackable._restore_by_names(restore)

    def _restore_by_names(self, restore: Callable[[Any], None]) -> None:
        """Calls a function with this object, and with each dependency added later."""
        vars(self).setdefault(_NAME_BASED_ATTRIBUTE, []).append(restore)
        restore(self)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        """Returns the object's own saveables by name: variables, or functions from a `name` to a SaveableObject."""
        return {}

    def _no_dependency(self, value: Any) -> Any:
        """Prepares a value for assignment to an untracked attribute."""
        return value

    # In SavedModels ------------------------------------------------------------------------------

    _object_identifier = "_generic_user_object"  # identifies the object kind
    _tracking_metadata = ""

    def _list_functions_for_serialization(self, serialization_cache: Any) -> dict[str, Any]:
        """Returns the object's functions by name, in addition to the functions among an AutoTrackable's attributes.

        serialization_cache: a dict shared by all objects of a SavedModel.
        """
        return {}

    def _list_extra_dependencies_for_serialization(
        self, serialization_cache: Any
    ) -> dict[str, Any]:
        """Returns additional dependencies for SavedModels, by name."""
        return {}


def dependencies(value: Any) -> list[TrackableReference]:
    """Returns the dependencies of an object."""
    return value._checkpoint_dependencies


@contextmanager
def no_automatic_dependency_tracking_scope(obj: Any) -> Iterator[None]:
    """Context manager that disables tracking of attributes set on an object."""
    was_tracking = vars(obj).get(TRACKS, True)
    vars(obj)[TRACKS] = False
    try:
        yield
    finally:
        vars(obj)[TRACKS] = was_tracking


def no_automatic_dependency_tracking(method: _Method) -> _Method:
    """Decorates a method of an AutoTrackable so that the attributes it sets are not tracked."""

    @functools.wraps(method)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        attributes = vars(self)
        was_tracking = attributes.get(TRACKS, True)
        attributes[TRACKS] = False
        try:
            return method(self, *args, **kwargs)
        finally:
            attributes[TRACKS] = was_tracking

    return cast("_Method", wrapper)
