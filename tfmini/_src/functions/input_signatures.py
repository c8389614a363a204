"""Traced arguments of a function: their names, and their specs in a signature."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.shallow import flatten_up_to, flatten_with_tuple_paths
from tfmini._src.base.nest.structure import assert_same_structure, flatten, pack_sequence_as
from tfmini._src.functions.called_arguments import positional_names
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec, TypeSpec
from tfmini._src.ops import ops


class UnknownArgument:
    """Placeholder in a signature for an argument without a spec."""


def argument_names(signature: inspect.Signature, args: tuple, kwargs: dict) -> list[str]:
    """Returns the names of a call's arguments: of `args`, then of `kwargs` sorted by key."""
    named = positional_names(signature)
    variadic = [n for n, p in signature.parameters.items() if p.kind is p.VAR_POSITIONAL]
    unnamed = [f"{variadic[0] if variadic else None}_{n}" for n in range(len(args) - len(named))]
    return [*named[: len(args)], *unnamed, *sorted(kwargs)]


def names_of_leaves(names: Sequence[str], args: tuple, kwargs: dict) -> list[str]:
    """Returns the name of each leaf: the name of its argument or TensorSpec."""
    leaf_names: list[str] = []
    for name, value in zip(names, [*args, *(kwargs[key] for key in sorted(kwargs))]):
        leaves = flatten(value, expand_composites=True)
        specs = [leaf for leaf in leaves if isinstance(leaf, TensorSpec)]
        if len({bool(spec.name) for spec in specs}) > 1:
            raise ValueError(
                "If specifying TensorSpec names for nested structures, either zero or all names have to be specified."
            )
        leaf_names += [(isinstance(leaf, TensorSpec) and leaf.name) or name for leaf in leaves]
    return leaf_names


def to_structured_signature(
    names: Sequence[str], args: tuple, kwargs: dict, tensor_names: dict[Tensor, str]
) -> tuple[Any, Any]:
    """Replaces each tensor among the arguments with a TensorSpec, named by position.

    tensor_names: requested name of each tensor.
    """
    return _signature(args, names, tensor_names), _signature(kwargs, None, tensor_names)


def _signature(structure: Any, names: Sequence[str] | None, tensor_names: dict[Tensor, str]) -> Any:
    specs = []
    for path, value in flatten_with_tuple_paths(structure):
        if names is not None:
            path = (names[path[0]], *path[1:])
        specs.append(_spec(value, path, tensor_names))
    return pack_sequence_as(structure, specs)


def _spec(value: Any, path: tuple, tensor_names: dict[Tensor, str]) -> Any:
    if isinstance(value, Tensor):
        requested = tensor_names[value]
        joined = "/".join(map(str, path))
        return TensorSpec(value.shape, value.dtype, joined if requested == path[0] else requested)
    if getattr(value, "_type_spec", None) is not None:
        return value._type_spec
    if value is None or isinstance(value, int | float | dtypes.DType | TypeSpec):
        return value
    return UnknownArgument()


def same_signature(first: Any, second: Any) -> bool:
    """Whether two signatures have the same nesting and equal specs."""
    try:
        assert_same_structure(first, second, check_types=True)
    except (TypeError, ValueError):
        return False
    return all(
        type(a) is type(b) and (a is b or a == b) for a, b in zip(flatten(first), flatten(second))
    )


def check_declared(declared_signature: Any, signature: inspect.Signature) -> None:
    """Raises TypeError or ValueError unless `declared_signature` is a valid `input_signature` for a Python function."""
    if not all(
        isinstance(leaf, TypeSpec) for leaf in flatten(declared_signature, expand_composites=True)
    ):
        raise TypeError(
            f"Invalid input_signature {declared_signature}; input_signature must be a possibly nested sequence of "
            "TensorSpec objects."
        )
    if any(p.kind is p.KEYWORD_ONLY for p in signature.parameters.values()):
        raise ValueError(
            "Cannot define a TensorFlow function from a Python function with keyword arguments when "
            "input_signature is provided."
        )
    if not isinstance(declared_signature, list | tuple):
        raise TypeError(
            f"input_signature must be either a tuple or a list, received {type(declared_signature)}"
        )


def check_covered(
    signature: inspect.Signature, declared_signature: tuple, args: tuple, kwargs: dict[str, Any]
) -> None:
    """Raises TypeError for call arguments that the function's `input_signature` lacks."""
    text = "When input_signature is provided, only pass arguments covered by it. Received "
    if len(args) > len(declared_signature):
        raise TypeError(f"{text}{len(args)} argument(s).")
    names = positional_names(signature)
    for name in kwargs:
        if name not in names:
            raise TypeError(f"Function got an unexpected keyword argument {name}")
        if names.index(name) >= len(declared_signature):
            raise TypeError(f"{text}argument {name}.")


def as_declared(declared_signature: tuple, args: tuple) -> tuple:
    """Converts a call's arguments to the tensors required by `input_signature`; raises ValueError for others."""
    both = (
        f"\n  inputs: {_format_lines(args)}\n  input_signature: {_format_lines(declared_signature)}"
    )
    try:
        flat = flatten_up_to(
            declared_signature, args[: len(declared_signature)], expand_composites=True
        )
    except ValueError:
        raise ValueError(
            f"Structure of Python function inputs does not match input_signature:{both}"
        ) from None
    tensors = []
    for spec, leaf in zip(flatten(declared_signature, expand_composites=True), flat):
        if not isinstance(leaf, Tensor | TensorSpec):
            try:
                leaf = ops.convert_to_tensor(leaf, preferred_dtype=spec.dtype)
            except ValueError:
                raise ValueError(
                    "When input_signature is provided, all inputs to the Python function must be convertible to "
                    f"tensors:{both}"
                ) from None
        tensors.append(leaf)
    specs = flatten(declared_signature, expand_composites=True)
    if not all(spec.is_compatible_with(leaf) for spec, leaf in zip(specs, tensors)):
        raise ValueError(f"Python inputs incompatible with input_signature:{both}")
    return pack_sequence_as(declared_signature, tensors, expand_composites=True)


def _format_lines(values: Sequence[Any]) -> str:
    """Formats values in parentheses, one per line, for errors."""
    lines = ",\n    ".join(map(str, values))
    return f"(\n    {lines})"


def check_specialized(signature: tuple, args: tuple, kwargs: dict) -> None:
    """Raises ValueError unless `get_concrete_function` got tensors or specs compatible with the signature."""
    if kwargs:
        raise ValueError(
            "Cannot define a TensorFlow function from a Python function with keyword arguments when "
            "input_signature is provided."
        )
    if not args:
        return
    try:
        assert_same_structure(signature, args, expand_composites=True)
    except (TypeError, ValueError):
        raise ValueError(
            "Structure of Python function inputs does not match input_signature."
        ) from None
    flat = flatten(args, expand_composites=True)
    if not all(isinstance(leaf, Tensor | TensorSpec) for leaf in flat):
        raise ValueError(
            "When input_signature is provided, all inputs to the Python function must be Tensors or "
            "tf.TensorSpec objects."
        )
    specs = flatten(signature, expand_composites=True)
    if not all(spec.is_compatible_with(leaf) for spec, leaf in zip(specs, flat)):
        raise ValueError(
            f"Python inputs incompatible with input_signature: inputs ({args}), input_signature ({signature})"
        )
