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
    specs = pack_sequence_as(structure, flatten(_input_signature(model)))

    def call(inputs: Any, training: bool = False) -> Any:
        return model(inputs, training=training)

    called = Function(call, autograph=False)
    for training in (False, True):
        called.get_concrete_function(specs, training)
    return {"__call__": called, "_default_save_signature": trace_model_call(model)}


def trace_model_call(model: Any, input_signature: Any = None) -> Function:
    """The function that serves a model: from its inputs to a dict of its outputs by name, not in training.

    Args:
      model: a Keras model.
      input_signature: a list of TensorSpecs, or a list of one structure of them; by default as the model knows them.

    Raises:
      ValueError: if there is none, and the model does not know its inputs.
    """
    if input_signature is None and isinstance(model.call, Function):
        input_signature = model.call.input_signature
    signature = _input_signature(model) if input_signature is None else input_signature

    def _wrapped_model(*args: Any) -> dict[str, Tensor]:
        outputs = flatten(model(args[0] if len(signature) == 1 else list(args), training=False))
        names = getattr(model, "output_names", None)
        return dict(zip(names or (f"output_{n + 1}" for n in range(len(outputs))), outputs))

    return Function(_wrapped_model, input_signature=signature, autograph=False)


def _input_signature(model: Any) -> list[Any]:
    """The inputs of a model, as one argument, with any number of examples."""
    if not model.inputs:
        raise ValueError(
            f"Model {model} cannot be saved because the input shapes have not been set. Usually, input shapes are "
            "automatically determined from calling .fit() or .predict(). To manually set the shapes, call "
            "model._set_inputs(inputs)."
        )
    specs = [
        TensorSpec([None, *tensor.shape.as_list()[1:]], tensor.dtype, name)
        for tensor, name in zip(flatten(model.inputs), flatten(model.input_names))
    ]
    packed = pack_sequence_as(model.inputs, specs)
    return packed if isinstance(packed, list) and len(packed) == 1 else [packed]


def extract_model_metrics(model: Any) -> dict[str, Any] | None:
    """The metrics with which a model was compiled, by name; None if there are none."""
    if not getattr(model, "_compile_metrics", None):
        return None
    return {metric.name: metric for metric in model._compile_metric_functions}


def variable_lists(model: Any, cache: dict[Any, Any]) -> dict[str, Any]:
    """The lists of a model's variables, by name; the same ones for a `cache`. There are none before it is built."""
    if not model.built:
        return {}
    key = ("variable lists", id(model))
    if key not in cache:
        cache[key] = {name: list(getattr(model, name)) for name in _LISTS}
    return dict(cache[key])
