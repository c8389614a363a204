"""Traces of layers and models, for training and for inference, with variables kept outside."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.nn.layers.backend.learning_phase import learning_phase_scope
from tfmini._src.nn.layers.call_context import calling, noting_calls

# Attributes to which a call of a layer adds.
_ADDED = ("_losses", "_updates", "_metrics", "_inbound_nodes", "_outbound_nodes")


@dataclass(frozen=True)
class Trace:
    """A trace of a function for given arguments.

    Attributes:
      function: it returns (outputs, losses that depend on the inputs).
      arguments: the specs of the inputs, in their structure, then maybe the flag for training.
    """

    function: ConcreteFunction
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class TracedLayer:
    """The traces of a layer.

    Attributes:
      traces: one for each kind of arguments.
      asks: whether the flag for training is an argument.
    """

    traces: list[Trace]
    asks: bool


def traced_layers(model: Any) -> dict[int, TracedLayer]:
    """The traces of a model with known inputs and of the layers that it calls, by `id`.

    Layers within that are called with other arguments than inputs, or cannot be called alone, are left out.

    Raises:
      ValueError, TypeError: if the model itself cannot be traced.
    """
    called: dict[int, tuple[Any, list[Any]]] = {}

    def note(layer: Any, inputs: Any) -> None:
        _, kinds = called.setdefault(id(layer), (layer, []))
        leaves = flatten(inputs)
        if not leaves or not all(isinstance(leaf, Tensor) for leaf in leaves):
            return
        specs = [TensorSpec(t.shape, t.dtype.base_dtype, "inputs") for t in leaves]
        kind = pack_sequence_as(inputs, specs)
        if kind not in kinds:
            kinds.append(kind)

    names = model.input_names
    specs = [TensorSpec(t.shape, t.dtype, n) for t, n in zip(flatten(model.inputs), names)]
    given = model._nested_inputs if hasattr(model, "_nested_inputs") else model.inputs
    with noting_calls(note):
        made = {id(model): _traced(model, [pack_sequence_as(_structure(given), specs)])}
    called.pop(id(model), None)
    for number, (layer, kinds) in called.items():
        try:
            traced = _traced(layer, kinds)
        except (ValueError, TypeError, AttributeError, NotImplementedError) as error:
            logs.debug("Layer %s is saved without functions of its own: %s", layer.name, error)
            continue
        if traced.traces:
            made[number] = traced
    return made


def _structure(inputs: Any) -> Any:
    return inputs[0] if isinstance(inputs, list) and len(inputs) == 1 else inputs


def traced_losses(layer: Any) -> list[ConcreteFunction]:
    """The argumentless functions of a layer's own regularization losses."""
    return [
        ConcreteFunction(f"{layer.name}_loss_fn", loss, [], []) for loss in layer._callable_losses
    ]


def _traced(layer: Any, kinds: list[Any]) -> TracedLayer:
    asks = any(_takes_training(each) for each in _all_within(layer))
    traces = []
    for inputs in kinds:
        for flag in (True, False) if asks else (False,):
            function = _traced_once(layer, inputs, flag)
            traces.append(Trace(function, (inputs, flag) if asks else (inputs,)))
    return TracedLayer(traces, asks)


def _all_within(layer: Any) -> list[Any]:
    """A layer and all layers nested in it, each once."""
    found = {id(layer): layer}
    waiting = [layer]
    while waiting:
        for child in waiting.pop()._child_layers():
            if id(child) not in found:
                found[id(child)] = child
                waiting.append(child)
    return list(found.values())


def _takes_training(layer: Any) -> bool:
    names, any_name = layer._call_arguments() if hasattr(layer, "_call_arguments") else ((), False)
    return "training" in names or any_name


def _traced_once(layer: Any, inputs: Any, flag: bool) -> ConcreteFunction:
    keywords = {}
    if "training" in inspect.signature(layer.call).parameters:
        keywords["training"] = flag

    def body(*tensors: Tensor) -> Any:
        given = pack_sequence_as(inputs, list(tensors))
        with calling(layer, given, flag):
            outputs = layer._converted_call()(given, **keywords)
        return outputs, layer.get_losses_for(given)

    specs = flatten(inputs)
    names = [f"inputs_{n}" if n else "inputs" for n in range(len(specs))]
    with learning_phase_scope(int(flag)), _unchanged(layer):
        name = f"{layer.name}_layer_call_and_return_conditional_losses"
        return ConcreteFunction(name.replace("/", "_"), body, specs, names)


@contextmanager
def _unchanged(layer: Any) -> Iterator[None]:
    """Context in which calls of a layer leave it and its nested layers unchanged."""
    before = []
    for each in _all_within(layer):
        own = vars(each)
        for name in _ADDED:
            if name in own:
                before.append((own, name, own[name]))
                own[name] = [] if name in ("_losses", "_updates") else list(own[name])
    try:
        yield
    finally:
        for own, name, value in before:
            own[name] = value
