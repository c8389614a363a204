"""Functions that call a layer, traced together for the same arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.functions.tf_function import Function
from tfmini._src.functions.trace_keys import input_tensors
from tfmini._src.nn.layers.backend.learning_phase import learning_phase_scope
from tfmini._src.nn.layers.call_context import calling
from tfmini._src.nn.layers.layer_call import converted_call
from tfmini._src.nn.layers.saved_layer.training_argument import (
    TrainingArgument,
    append_training_argument,
    select_by_training,
    set_signature,
    signature_with_training,
)
from tfmini._src.variables.init_scope import init_scope

# Attributes extended by calls of a layer.
_EMPTIED_ATTRIBUTES, _KEPT_ATTRIBUTES = (
    ("_losses", "_eager_losses", "_updates"),
    ("_metrics", "_inbound_nodes", "_outbound_nodes"),
)


class LayerCalls:
    """The functions that call a layer; calling one of them traces all of them, for training and for inference.

    Args:
      layer: a layer.
    """

    def __init__(self, layer: Any):
        self.layer = layer
        self._expects_training = any(
            nested_layer._expects_training_arg for nested_layer in all_within(layer)
        )
        self._appends_training = self._expects_training and not layer._expects_training_arg
        signature = inspect.signature(layer.call)
        if self._appends_training:
            signature = append_training_argument(signature)
        self._argument = TrainingArgument(signature)
        self._input_signature = layer._saved_as(layer).input_signature()
        self._functions: dict[str, LayerCall] = {}
        self.tracing = False

    def add_trace(self, *args: Any, **kwargs: Any) -> None:
        """Traces all functions for these arguments."""
        self.tracing = True
        try:
            for function in self._functions.values():
                if not self._expects_training:
                    function.get_concrete_function(*args, **kwargs)
                    continue
                for training in (True, False):
                    positional, named = self._argument.replace(training, args, kwargs)
                    with learning_phase_scope(int(training)):
                        function.get_concrete_function(*positional, **named)
        finally:
            self.tracing = False

    def add_function(self, call_fn: Callable, name: str) -> LayerCall:
        """Converts a function with the arguments of the layer's `call` to a graph function.

        Args:
          call_fn: the function.
          name: its name in graphs.
        """
        signature = inspect.signature(call_fn)
        parameters = list(signature.parameters.values())
        is_known = self._input_signature is not None and None not in flatten(self._input_signature)
        has_options = self._expects_training or any(
            p.default is not p.empty or p.kind in (p.KEYWORD_ONLY, p.VAR_KEYWORD)
            for p in parameters
        )
        if self._appends_training:
            signature = append_training_argument(signature)

        def call(*args: Any, **kwargs: Any) -> Any:
            training = self._argument.value(args, kwargs) if self._expects_training else None
            arguments = (
                self._argument.remove(args, kwargs) if self._appends_training else (args, kwargs)
            )
            with (
                preserve_state(self.layer),
                calling(self.layer, args[0] if args else None, training),
            ):
                return call_fn(*arguments[0], **arguments[1])

        layer_call = LayerCall(
            self,
            set_signature(call, signature, name),
            self._input_signature if is_known and not has_options else None,
        )
        self._functions[name] = layer_call
        if is_known and has_options:
            self.add_trace(*self._input_signature)
        return layer_call


class LayerCall(Function):
    """A function that, when traced, also traces the layer's other functions."""

    def __init__(self, calls: LayerCalls, python_function: Callable, input_signature: Any):
        super().__init__(python_function, input_signature)
        self._calls = calls

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Adds a node that calls the function."""
        if not self._calls.tracing:
            self._calls.add_trace(*args, **kwargs)
        leaves, structure, names = self._arguments(args, kwargs)
        concrete = self._concrete(leaves, structure, names)
        return concrete.call(input_tensors(leaves))

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """Returns the function for these arguments, traced outside the functions under construction."""
        if not self._calls.tracing:
            self._calls.add_trace(*args, **kwargs)
        return super().get_concrete_function(*args, **kwargs)

    def _concrete(self, leaves: list[Any], structure: Any, names: list[str]) -> ConcreteFunction:
        with init_scope():
            return super()._concrete(leaves, structure, names)


def call_functions(layer: Any) -> dict[str, Any]:
    """Returns the functions that call a layer, keyed by their names in Keras."""
    calls = LayerCalls(layer)
    layer_call, signature = converted_call(layer), inspect.signature(layer.call)

    def outputs_and_losses(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        return layer_call(inputs, *args, **kwargs), layer.get_losses_for(inputs)

    def wrapper(call: Callable, name: str) -> LayerCall:
        name = f"{layer.name}_layer_{name}".replace("/", "_")
        expects_training, expected = layer._expects_training_arg, signature
        if expects_training:
            call = select_by_training(call, signature, False)
            expected = signature_with_training(signature, False)

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return call(*args, **kwargs)

        return calls.add_function(set_signature(wrapper, expected, name), name)

    with_losses = wrapper(outputs_and_losses, "call_and_return_conditional_losses")

    def outputs(inputs: Any, *args: Any, **kwargs: Any) -> Any:
        return with_losses(inputs, *args, **kwargs)[0]

    functions: dict[str, Any] = {
        "call_and_return_conditional_losses": with_losses,
        "__call__": wrapper(outputs, "call_fn"),
        "activity_regularizer_fn": None,
        "call_and_return_all_conditional_losses": with_losses,
    }
    regularizer = layer._saved_as(layer).activity_regularizer()
    if regularizer is not None:

        def outputs_and_all_losses(inputs: Any, *args: Any, **kwargs: Any) -> Any:
            results, losses = with_losses(inputs, *args, **kwargs)
            return results, [*losses, regularizer(results)]

        functions["activity_regularizer_fn"] = regularizer
        functions["call_and_return_all_conditional_losses"] = wrapper(
            outputs_and_all_losses, "call_and_return_all_conditional_losses"
        )
    with calling(layer, None, None):
        for function in functions.values():
            if function is not None and function.input_signature is not None:
                function.get_concrete_function()
    return functions


def all_within(layer: Any) -> list[Any]:
    """Returns a layer and all layers nested in it, without duplicates."""
    layers = {id(layer): layer}
    waiting = [layer]
    while waiting:
        nested_layer = waiting.pop()
        for child in nested_layer._saved_as(nested_layer).layers():
            if id(child) not in layers:
                layers[id(child)] = child
                waiting.append(child)
    return list(layers.values())


@contextmanager
def preserve_state(layer: Any) -> Iterator[None]:
    """Context manager in which calls add no losses and do not change a layer or its sublayers."""
    previous_states = []
    for nested_layer in all_within(layer):
        attributes = vars(nested_layer)
        for name in (*_EMPTIED_ATTRIBUTES, *_KEPT_ATTRIBUTES):
            if name in attributes:
                previous_states.append((attributes, name, attributes[name]))
                attributes[name] = [] if name in _EMPTIED_ATTRIBUTES else list(attributes[name])
    try:
        yield
    finally:
        for attributes, name, value in previous_states:
            attributes[name] = value
