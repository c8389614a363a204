"""What a layer holds: layers and variables among its attributes, in lists and dicts too, in the order they came."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from tfmini.layers.weight_values import track
from tfmini.nest import flatten
from tfmini.variables.resource_variable import UnreadVariable
from tfmini.variables.variable import Variable


def untracked(method: Callable) -> Callable:
    """Decorates a method of a layer: attributes that it sets are not looked into."""

    @functools.wraps(method)
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = vars(self).get("_tracks", True)
        vars(self)["_tracks"] = False
        try:
            return method(self, *args, **kwargs)
        finally:
            vars(self)["_tracks"] = before

    return wrapped


class Tracking:
    """A mixin that notes the layers and variables which attributes are set to."""

    _layers: list
    _trainable_weights: list
    _non_trainable_weights: list

    def __setattr__(self, name: str, value: Any) -> None:
        if not self._noted(name):
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
        before = vars(self).get(name)
        if before is not None and before is not value:
            self._forget(name, before)
        held = _is_layer(value) or isinstance(value, (list, dict))
        if held and type(self).__name__ != "Sequential":
            layers = vars(self).setdefault("_layers", [])
            if not any(value is layer for layer in layers):
                layers.append(value)
                if hasattr(value, "_use_resource_variables"):
                    value._use_resource_variables = True
        for item in flatten(value) if isinstance(value, (list, tuple, dict, Variable)) else ():
            if isinstance(item, Variable) and not isinstance(item, UnreadVariable):
                self._hold(item)
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        value = vars(self).get(name)
        object.__delattr__(self, name)
        if value is not None:
            self._forget(name, value)

    def _noted(self, name: str) -> bool:
        own = vars(self)
        if not own.get("_tracks", True) or own.get("_is_graph_network", False):
            return False
        return not hasattr(type(self), name)

    def _hold(self, variable: Any) -> None:
        kind = "_trainable_weights" if variable.trainable else "_non_trainable_weights"
        there = vars(self).setdefault(kind, [])
        if not any(variable is other for other in there):
            there.append(variable)
            track(variable)

    def _forget(self, name: str, value: Any) -> None:
        """An attribute has another value: what no other attribute has is not held any more."""
        if any(value is other for key, other in vars(self).items() if key != name):
            return
        for kind in ("_layers", "_trainable_weights", "_non_trainable_weights"):
            there = vars(self).get(kind)
            if there and (kind == "_layers" or isinstance(value, Variable)):
                vars(self)[kind] = [other for other in there if other is not value]

    def _children(self) -> list:
        """The layers held, those in lists and dicts among them, each once."""
        return [layer for held in self._held() for layer in held]

    def _held(self) -> list[list]:
        """The layers held, each once: alone, or with those of the list or dict that has them."""
        found = []
        seen: set[int] = set()
        for value in vars(self).get("_layers", []):
            new = []
            for layer in _layers_in(value):
                if id(layer) not in seen:
                    seen.add(id(layer))
                    new.append(layer)
            found.append(new)
        return found

    def _of_children(self, attribute: str) -> list:
        return [item for child in self._children() for item in getattr(child, attribute)]

    def _weights_of_children(self) -> list:
        """The variables of each layer held; of those in a list or dict the ones to be trained of all first."""
        found: list = []
        for held in self._held():
            kinds = ("trainable_weights", "non_trainable_weights")
            for kind in ("weights",) if len(held) == 1 else kinds:
                found += [weight for layer in held for weight in getattr(layer, kind)]
        return found

    @property
    def submodules(self) -> tuple:
        """All layers that it holds, and those that these hold."""
        found: list = []
        for child in self._children():
            found += [child, *child.submodules]
        return tuple(found)


def _is_layer(value: Any) -> bool:
    return isinstance(value, Tracking)


def _layers_in(value: Any) -> Iterator[Any]:
    if _is_layer(value):
        yield value
    elif isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from _layers_in(value[key])
    elif isinstance(value, list):
        for item in value:
            yield from _layers_in(item)
