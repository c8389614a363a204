"""Tracks layers and variables in a layer's attributes, lists and dicts included, in order of assignment."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.nn.layers.backend.session import track
from tfmini._src.variables.data_structures import (
    ListWrapper,
    TrackableDataStructure,
    layers_in,
)
from tfmini._src.variables.module import Module
from tfmini._src.variables.resource_variable import UnreadVariable
from tfmini._src.variables.variable import Variable


class Tracking(Module):
    """A module that tracks layers and variables assigned to its attributes."""

    _layers: list
    _trainable_weights: list
    _non_trainable_weights: list

    def __setattr__(self, name: str, value: Any) -> None:
        if not self._notes_attribute(name):
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
        before = vars(self).get(name)
        if before is not None and before is not value:
            self._forget_attribute(name, before)
        held = isinstance(value, (Tracking, list, dict, TrackableDataStructure))
        if held and type(self).__name__ != "Sequential":
            if "_layers" not in vars(self):  # before the constructor
                vars(self)["_layers"] = self._track_trackable(ListWrapper([]), "_layers")
            layers = self._layers
            if not any(value is layer for layer in layers):
                layers.append(value)
                if hasattr(value, "_use_resource_variables"):
                    value._use_resource_variables = True
        flattened = (list, tuple, dict, Variable, TrackableDataStructure)
        for item in flatten(value) if isinstance(value, flattened) else ():
            if isinstance(item, Variable) and not isinstance(item, UnreadVariable):
                self._hold_weight(item)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        value = vars(self).get(name)
        object.__delattr__(self, name)
        if value is not None:
            self._forget_attribute(name, value)

    def _notes_attribute(self, name: str) -> bool:
        own = vars(self)
        if not own.get("_self_setattr_tracking", True) or own.get("_is_graph_network", False):
            return False
        return not hasattr(type(self), name)

    def _hold_weight(self, variable: Any) -> None:
        kind = "_trainable_weights" if variable.trainable else "_non_trainable_weights"
        there = vars(self).setdefault(kind, [])
        if not any(variable is other for other in there):
            there.append(variable)
            track(variable)

    def _forget_attribute(self, name: str, value: Any) -> None:
        """Stops tracking an attribute's old value, unless another attribute holds it too."""
        if any(value is other for key, other in vars(self).items() if key != name):
            return
        for kind in ("_layers", "_trainable_weights", "_non_trainable_weights"):
            there = vars(self).get(kind)
            if there and any(other is value for other in there):
                vars(self)[kind] = [other for other in there if other is not value]

    def _child_layers(self) -> list:
        """The tracked layers, including those in lists and dicts, each once."""
        held = [layer for value in vars(self).get("_layers", ()) for layer in layers_in(value)]
        return list({id(layer): layer for layer in held}.values())

    def _of_children(self, attribute: str) -> list:
        if not vars(self).get("_layers"):
            return []
        return [item for child in self._child_layers() for item in getattr(child, attribute)]
