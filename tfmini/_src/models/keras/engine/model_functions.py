"""The serving function of a Keras model."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.functions.tf_function import Function
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec


def trace_model_call(model: Any, input_signature: Any = None) -> Function:
    """Returns the serving function of a model, from inputs to a dict of outputs in inference mode.

    Args:
      model: a Keras model.
      input_signature: a list of TensorSpecs, or a list of one structure of them; by default from the model's inputs.

    Raises:
      ValueError: if neither a signature nor the model's inputs are known.
    """
    if input_signature is None and isinstance(model.call, Function):
        input_signature = model.call.input_signature
    signature = model_input_signature(model) if input_signature is None else input_signature

    def _wrapped_model(*args: Any) -> dict[str, Tensor]:
        outputs = flatten(model(args[0] if len(signature) == 1 else list(args), training=False))
        names = getattr(model, "output_names", None)
        return dict(zip(names or (f"output_{n + 1}" for n in range(len(outputs))), outputs))

    return Function(_wrapped_model, input_signature=signature, autograph=False)


def model_input_signature(model: Any) -> list[Any]:
    """Returns the specs of a model's inputs as one argument, with unknown batch size."""
    check_inputs_are_set(model)
    specs = [
        TensorSpec([None, *tensor.shape.as_list()[1:]], tensor.dtype, name)
        for tensor, name in zip(flatten(model.inputs), flatten(model.input_names))
    ]
    packed = pack_sequence_as(model.inputs, specs)
    return packed if isinstance(packed, list) and len(packed) == 1 else [packed]


def check_inputs_are_set(model: Any) -> None:
    """Raises ValueError unless the model's inputs are known."""
    if not model.inputs:
        raise ValueError(
            f"Model {model} cannot be saved because the input shapes have not been set. Usually, input shapes are "
            "automatically determined from calling .fit() or .predict(). To manually set the shapes, call "
            "model._set_inputs(inputs)."
        )


def extract_model_metrics(model: Any) -> dict[str, Any] | None:
    """Returns a model's compiled metrics by name, or None."""
    if not getattr(model, "_compile_metrics", None):
        return None
    return {metric.name: metric for metric in model._compile_metric_functions}
