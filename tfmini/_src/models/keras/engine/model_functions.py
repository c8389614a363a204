"""The functions and lists of variables that a SavedModel has of a Keras model, in eager mode."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.functions.tf_function import Function
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec

_LISTS = ("variables", "trainable_variables", "non_trainable_variables")


def functions_of_model(model: Any) -> dict[str, Function]:
    """The function that calls a model, for training and not, and the one that serves it.

    There are none for a model that does not know its inputs.
    """
    if not model.inputs:
        return {}
    structure = model._nested_inputs if hasattr(model, "_nested_inputs") else model.inputs
    if isinstance(structure, list) and len(structure) == 1:
        structure = structure[0]
    names = list(model.input_names)
    specs = [
        TensorSpec(tensor.shape, tensor.dtype, name)
        for tensor, name in zip(flatten(structure), names)
    ]

    def call(inputs: Any, training: bool = False) -> Any:
        return model(inputs, training=training)

    def serve(*tensors: Tensor) -> dict[str, Tensor]:
        outputs = flatten(model(pack_sequence_as(structure, list(tensors)), training=False))
        return dict(zip(model.output_names, outputs))

    called = Function(call, autograph=False)
    for training in (False, True):
        called.get_concrete_function(pack_sequence_as(structure, specs), training)
    served = Function(serve, input_signature=specs, autograph=False)
    return {"__call__": called, "_default_save_signature": served}


def variable_lists(model: Any, cache: dict[Any, Any]) -> dict[str, Any]:
    """The lists of a model's variables, by name; the same ones for a `cache`. There are none before it is built."""
    if not model.built:
        return {}
    key = ("variable lists", id(model))
    if key not in cache:
        cache[key] = {name: list(getattr(model, name)) for name in _LISTS}
    return dict(cache[key])
