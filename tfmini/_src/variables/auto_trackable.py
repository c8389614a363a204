"""AutoTrackable, an object that tracks its attributes."""

from __future__ import annotations

from typing import Any

from tfmini._src.variables.data_structures import tracked_attribute
from tfmini._src.variables.trackable import TRACKS, NoDependency, Trackable


class AutoTrackable(Trackable):
    """An object that tracks its attributes by name: trackable objects, lists and dicts."""

    def __setattr__(self, name: str, value: Any) -> None:
        if vars(self).get(name) is not value or name not in vars(self):
            object.__setattr__(self, name, self._tracked_attribute(name, value))

    def __delattr__(self, name: str) -> None:
        self._untrack(name)
        object.__delattr__(self, name)

    def _tracked_attribute(self, name: str, value: Any) -> Any:
        """Prepares a value for assignment to an attribute, tracking it as a dependency if it can be saved."""
        if not vars(self).get(TRACKS, True):
            return value
        return tracked_attribute(self, name, value)

    def _no_dependency(self, value: Any) -> Any:
        return NoDependency(value)
