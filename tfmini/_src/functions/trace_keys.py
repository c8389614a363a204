"""Cache keys of a `tf.function`'s arguments, used to look up the trace for a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import flatten
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.eager import tapes
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.type_spec import TensorSpec
from tfmini._src.variables.resource_variable import BaseResourceVariable


def eager_tensors_key(args: tuple[Any, ...]) -> Any:
    """Returns the key of arguments that are all eager tensors, by dtype and shape; None for others."""
    key: list[Any] = [EagerTensor]
    for value in args:
        if value.__class__ is not EagerTensor:
            return None
        key += (value._dtype, value._dims)
    return tuple(key)


def nesting_key(structure: Any) -> Any:
    """Returns the nesting of a structure, without its leaves; all list and dict classes are equivalent."""
    if isinstance(structure, dict):
        return (dict, tuple([(key, nesting_key(structure[key])) for key in structure]))
    if isinstance(structure, list):
        return (list, tuple([nesting_key(item) for item in structure]))
    if isinstance(structure, tuple):
        return (type(structure), tuple([nesting_key(item) for item in structure]))
    spec = getattr(structure, "_type_spec", None)
    if spec is None:
        return None
    parts = flatten(spec._component_specs, expand_composites=True)
    # A handle does not describe its content: the elements of a dataset or iterator, or an Optional's value.
    handles = (dtypes.resource, dtypes.variant)
    return spec if any(part.dtype in handles for part in parts) else type(structure)


def value_key(leaf: Any) -> Any:
    """Returns the cache key of an argument's value; variables are compared by identity."""
    if hasattr(leaf, "_as_graph_element") or hasattr(leaf, "handle"):
        return type(leaf), id(leaf), TensorSpec(leaf.shape, leaf.dtype)
    try:
        hash(leaf)
    except TypeError as error:
        if type(leaf).__weakrefoffset__:
            type_name = type(leaf).__name__
            raise AttributeError(f"'{type_name}' object has no attribute 'shape'") from None
        raise TypeError(
            f"Arguments supplied to `defun`-generated functions must be hashable.  Original error: {error}"
        ) from None
    return leaf


def tensor_positions(leaves: Sequence[Any]) -> list[int]:
    """Finds the arguments that are inputs of a function: tensors, tensor specs, and each resource variable once."""
    positions = []
    variables = set()
    for position, leaf in enumerate(leaves):
        if isinstance(leaf, BaseResourceVariable):
            if id(leaf) in variables:
                continue
            variables.add(id(leaf))
        elif not isinstance(leaf, Tensor | TensorSpec):
            continue
        positions.append(position)
    return positions


def input_tensors(leaves: Sequence[Any]) -> list[Tensor]:
    """Returns the input tensors of a call: for variables their handles, which tapes then watch."""
    values = [leaves[position] for position in tensor_positions(leaves)]
    for position, leaf in enumerate(values):
        if isinstance(leaf, BaseResourceVariable):
            tapes.variable_accessed(leaf)
            values[position] = leaf.handle
    return values


def common_spec(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    """Returns the most specific spec compatible with two specs of one dtype."""
    if a.shape.ndims is None:
        return a
    pairs = zip(a.shape.as_list(), b.shape.as_list())
    return TensorSpec(TensorShape([x if x == y else None for x, y in pairs]), a.dtype)
