"""Objects and functions that Keras reads from a layer in a SavedModel, in addition to the layer's attributes."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base import logs
from tfmini._src.functions.tf_function import Function
from tfmini._src.nn.layers.saved_layer.layer_calls import call_functions
from tfmini._src.nn.layers.saved_layer.training_argument import wrapped_call
from tfmini._src.variables.auto_trackable import AutoTrackable
from tfmini._src.variables.data_structures import ListWrapper

KERAS_API = "keras_api"  # name of the object that has these attributes
OWN_OBJECTS = ("variables", "trainable_variables", "regularization_losses")
OWN_FUNCTIONS = ("__call__", "call_and_return_all_conditional_losses", "_default_save_signature")
FUNCTIONS = (*OWN_FUNCTIONS, "call_and_return_conditional_losses", "activity_regularizer_fn")
_ATTRIBUTES, _LOSSES = "keras attributes", "keras losses"  # keys in the cache of a SavedModel


class SavedAttributes:
    """The saved attributes of a layer in addition to its own; empty before the first call of the layer."""

    def __init__(self) -> None:
        self.interface = AutoTrackable()
        self.functions: dict[str, Any] = {}
        self.objects: dict[str, Any] = {KERAS_API: self.interface}

    def set(self, objects: dict[str, Any], functions: dict[str, Any]) -> None:
        """Sets all attributes; missing functions are set to None."""
        for name, value in (*objects.items(), *functions.items()):
            setattr(self.interface, name, value)
        self.objects |= {name: objects[name] for name in OWN_OBJECTS}
        self.functions = {
            name: function for name, function in functions.items() if function is not None
        }

    @property
    def own_functions(self) -> dict[str, Any]:
        """The functions that are also attributes of the layer."""
        return {name: self.functions[name] for name in OWN_FUNCTIONS if name in self.functions}


def saved_attributes(layer: Any, cache: dict[Any, Any]) -> SavedAttributes:
    """Returns a layer's saved attributes, created once per `cache` of a SavedModel; the first layer is the root."""
    is_root = _ATTRIBUTES not in cache
    attributes = cache.setdefault(_ATTRIBUTES, {})
    if id(layer) in attributes:
        return attributes[id(layer)]
    attributes[id(layer)] = saved = SavedAttributes()
    saved_attrs = layer._saved_as(layer)
    if not saved_attrs.is_ready():
        return saved
    objects = _objects(layer, cache)
    try:
        functions = {"_default_save_signature": saved_attrs.signature() if is_root else None}
        layer_functions = layer._saved_functions()
        if layer_functions is None:
            with _children_by_functions(layer, cache):
                layer_functions = call_functions(layer)
    except (ValueError, TypeError) as error:
        logs.warning(
            "Skipping full serialization of object %s, because an error occurred while tracing layer functions. "
            "Error message: %s",
            layer,
            error,
        )
        return saved
    saved.set(objects, {**functions, **layer_functions})
    return saved


def _objects(layer: Any, cache: dict[Any, Any]) -> dict[str, Any]:
    functions = cache.setdefault(_LOSSES, {})

    def wrap_losses(losses: list[Any]) -> list[Any]:
        for loss in losses:
            if id(loss) not in functions:
                functions[id(loss)] = _loss_function(loss, len(functions))
        return [functions[id(loss)] for loss in losses]

    layers = layer._saved_as(layer).layers()
    all_losses = list(layer._callable_losses)
    for child in layers:
        all_losses += child._callable_losses
    objects = {
        "variables": list(layer.variables),
        "trainable_variables": list(layer.trainable_variables),
        "non_trainable_variables": list(layer.non_trainable_variables),
        "layers": list(layers),
        "metrics": list(layer.metrics),
        "regularization_losses": wrap_losses(all_losses),
        "layer_regularization_losses": wrap_losses(list(layer._callable_losses)),
    }
    return {name: ListWrapper(values) for name, values in objects.items()}


def _loss_function(loss: Any, index: int) -> Function:
    """Returns a loss that is independent of inputs as a function without arguments."""
    function = loss.args[0] if isinstance(loss, functools.partial) else loss
    if isinstance(function, Function):
        return function

    def call() -> Any:
        return function()

    call.__name__ = f"loss_fn_{index}"
    return Function(call, input_signature=[])


@contextmanager
def _children_by_functions(layer: Any, cache: dict[Any, Any]) -> Iterator[None]:
    """Context manager in which a layer calls its sublayers through their functions."""
    before = []
    for child in layer._saved_as(layer).layers():
        functions = saved_attributes(child, cache).functions
        if not functions:
            continue
        attributes = vars(child)
        before.append(
            (
                attributes,
                {
                    name: attributes[name]
                    for name in ("call", "_activity_regularizer")
                    if name in attributes
                },
            )
        )
        if "_activity_regularizer" in attributes:
            attributes["_activity_regularizer"] = functions.get("activity_regularizer_fn")
        call = functions["call_and_return_conditional_losses"]
        attributes["call"] = wrapped_call(child, call, default=False)
    try:
        yield
    finally:
        for attributes, values in reversed(before):
            del attributes["call"]
            attributes.update(values)
