"""Tracking of layers and variables in attributes of a layer, including lists and dicts, in order of assignment.

The functions with a parameter `self` are methods of `Layer` in `base_layer.py`.
"""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.nn.layers.backend.session import track
from tfmini._src.variables.data_structures import ListWrapper, TrackableDataStructure
from tfmini._src.variables.resource_variable import UnreadVariable
from tfmini._src.variables.trackable import TRACKS
from tfmini._src.variables.variable import Variable


def set_attribute(self: Any, name: str, value: Any) -> None:
    """Sets an attribute and tracks the layers and variables in its value."""
    attributes = vars(self)
    untracked = not attributes.get(TRACKS, True) or attributes.get("_is_graph_network", False)
    if untracked or hasattr(type(self), name):
        try:
            object.__setattr__(self, name, value)
        except AttributeError:
            if getattr(getattr(type(self), name, None), "fset", self) is not None:
                raise
            raise AttributeError(
                f'Can\'t set the attribute "{name}", likely because it conflicts with an existing read-only '
                "@property of the object. Please choose a different name."
            ) from None
        return
    value = self._tracked_attribute(name, value)
    previous_value = attributes.get(name)
    if previous_value is not None and previous_value is not value:
        _untrack_value(attributes, name, previous_value)
    if _has_weights(type(value)) and type(self).__name__ != "Sequential":
        if "_layers" not in attributes:  # the constructor has not run yet
            attributes["_layers"] = self._track_trackable(ListWrapper([]), "_layers")
        if not any(value is layer for layer in self._layers):
            self._layers.append(value)
            if hasattr(value, "_use_resource_variables"):
                value._use_resource_variables = True
    flattened = (list, tuple, dict, Variable, TrackableDataStructure)
    for item in flatten(value) if isinstance(value, flattened) else ():
        if isinstance(item, Variable) and not isinstance(item, UnreadVariable):
            if self._hold_weight(item, item.trainable):
                track(item)
    object.__setattr__(self, name, value)


def delete_attribute(self: Any, name: str) -> None:
    """Deletes an attribute and stops tracking its value."""
    value = vars(self).get(name)
    object.__delattr__(self, name)
    if value is not None:
        _untrack_value(vars(self), name, value)


def track_weight(self: Any, variable: Any, trainable: bool) -> bool:
    """Adds a variable to the layer's weights; returns whether it is new."""
    attribute = "_trainable_weights" if trainable else "_non_trainable_weights"
    weights = vars(self).setdefault(attribute, [])
    if any(variable is weight for weight in weights):
        return False
    weights.append(variable)
    return True


def _has_weights(cls: type) -> bool:
    """Whether instances of a class may contain weights: layers, and tracked lists and dicts."""
    return hasattr(cls, "trainable_weights") and hasattr(cls, "non_trainable_weights")


def _untrack_value(attributes: dict[str, Any], name: str, value: Any) -> None:
    """Stops tracking the old value of an attribute unless another attribute refers to it."""
    if any(value is other for key, other in attributes.items() if key != name):
        return
    for attribute in ("_layers", "_trainable_weights", "_non_trainable_weights"):
        tracked_values = attributes.get(attribute)
        if tracked_values and any(other is value for other in tracked_values):
            attributes[attribute] = [other for other in tracked_values if other is not value]
