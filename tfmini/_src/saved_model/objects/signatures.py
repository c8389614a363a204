"""Signature functions, which map named tensors to a dict of tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tfmini._src.base.nest.structure import assert_same_structure, flatten
from tfmini._src.functions.concrete_function import ConcreteFunction
from tfmini._src.functions.tf_function import Function
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.saved_model.objects.object_view import SIGNATURES, ObjectView
from tfmini._src.saved_model.objects.signature_map import SignatureMap
from tfmini._src.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY

_DEFAULT = "_default_save_signature"  # the serving function of Keras models


def find_default_signature(view: ObjectView) -> Any:
    """Returns the default function to serve, or None unless the root has exactly one candidate."""
    functions = view.functions(view.root)
    if _DEFAULT in functions:
        return functions[_DEFAULT]
    possible = [_concrete(candidate) for candidate in functions.values()]
    possible = [fn for fn in possible if fn is not None and _is_servable(fn)]
    return possible[0] if len(possible) == 1 else None


def canonical(signatures: Any) -> dict[str, ConcreteFunction]:
    """Returns signatures by key, each returning a dict; a single function is assigned the default key.

    Raises:
      ValueError: for unsupported arguments or results.
    """
    if signatures is None:
        return {}
    if not isinstance(signatures, Mapping):
        signatures = {DEFAULT_SERVING_SIGNATURE_DEF_KEY: signatures}
    return {key: _wrap_signature(key, function) for key, function in signatures.items()}


def check_attribute(view: ObjectView) -> None:
    """Raises ValueError if the root already defines the attribute `signatures`."""
    for name, value in view.children(view.root):
        if name == SIGNATURES and not isinstance(value, SignatureMap):
            raise ValueError(
                f"Exporting an object {view.root} which has an attribute named '{SIGNATURES}'. This is a reserved "
                "attribute used to store SavedModel signatures in objects which come from `tf.saved_model.load`. "
                "Delete this attribute (e.g. 'del obj.signatures') before saving if this shadowing is acceptable."
            )


def signature_map(signatures: dict[str, ConcreteFunction]) -> SignatureMap:
    """Returns the `signatures` object."""
    result = SignatureMap()
    for key, function in signatures.items():
        result.add(key, function)
    return result


def _concrete(function: Any) -> ConcreteFunction | None:
    if isinstance(function, Function) and function.input_signature is not None:
        return function.get_concrete_function()
    return function if isinstance(function, ConcreteFunction) else None


def _is_servable(function: ConcreteFunction) -> bool:
    if not function.outputs:
        return False
    try:
        _as_dict(function.structured_outputs, b"unused", "unused")
    except ValueError:
        return False
    return True


def _wrap_signature(key: str, value: Any) -> ConcreteFunction:
    function = _concrete(value)
    if function is None:
        raise ValueError(
            f"Expected a TensorFlow function to generate a signature for, but got {value}. Only `tf.functions` with an "
            "input signature or concrete functions can be used as a signature."
        )

    def signature_wrapper(**kwargs: Any) -> Any:
        return _as_dict(function(**kwargs), function.name, key)

    specs = {
        name: TensorSpec(tensor.shape, tensor.dtype, name)
        for name, tensor in zip(function._arg_keywords, function.inputs)
    }
    concrete_function = Function(signature_wrapper).get_concrete_function(**specs)
    concrete_function._num_positional_args = int(len(concrete_function._arg_keywords) == 1)
    return concrete_function


def _as_dict(outputs: Any, name: bytes, key: str) -> Any:
    """Returns the results of a function by name: a dict unchanged, other results as "output_0" and so on."""
    if isinstance(outputs, Mapping):
        for output_name, value in outputs.items():
            if not isinstance(value, Tensor):
                raise ValueError(
                    f"Got a dictionary containing non-Tensor value {value} for key {output_name} in the output of the "
                    f"function {name.decode()} used to generate a SavedModel signature. Dictionaries outputs for "
                    "functions used as signatures should have one Tensor output per string key."
                )
        return outputs
    output_list = outputs if isinstance(outputs, Sequence) else [outputs]
    if not _is_flat(output_list):
        raise ValueError(
            f"Got non-flat outputs '{outputs}' from '{name!r}' for SavedModel signature '{key}'. Signatures have one "
            "Tensor per output, so to have predictable names Python functions used to generate these signatures should "
            "avoid outputting Tensors in nested structures."
        )
    return {f"output_{index}": output for index, output in enumerate(output_list)}


def _is_flat(sequence: Any) -> bool:
    try:
        assert_same_structure(flatten(sequence), sequence, check_types=False)
    except (TypeError, ValueError):
        return False
    return True
