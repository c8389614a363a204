"""Element specs (nested structures of TypeSpecs), and their flat tensor representation.

A SparseTensor is represented by a single tensor of three variants, so that it can be batched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.data import dataset_nest
from tfmini._src.graph.composite_values import SparseTensor, SparseTensorSpec
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.type_spec import TensorSpec, TypeSpec, _known_spec as known_spec
from tfmini._src.ops import ops
from tfmini._src.ops.ragged.ragged_tensor import tensor_or_ragged
from tfmini._src.ops.ragged.ragged_tensor_value import RaggedTensorValue


def infer_spec(element: Any, converts: bool = True) -> Any:
    """Returns the spec of an element.

    converts: whether to convert values without a spec to tensors.

    Raises:
      TypeError: if the element has no spec.
    """
    spec = known_spec(element)
    if spec is not None:
        return spec
    if isinstance(element, dict):
        result = element.copy()
        for key in element:
            result[key] = infer_spec(element[key])
        return result
    if isinstance(element, tuple):
        specs = [infer_spec(part) for part in element]
        return type(element)(*specs) if hasattr(element, "_fields") else tuple(specs)
    if converts:
        try:
            tensor = ops.convert_to_tensor(element)
        except (ValueError, TypeError):
            pass
        else:
            return infer_spec(tensor)
    raise TypeError(
        f"Could not build a TypeSpec for {element!r} with type {type(element).__name__}"
    )


def normalize_element(element: Any) -> Any:
    """Converts the components of an element to tensors, SparseTensors and datasets."""
    components: list[Any] = []
    with name_scope("normalize_element"):
        for index, value in enumerate(dataset_nest.flatten(element)):
            try:
                spec = infer_spec(value, converts=False)
            except TypeError:
                spec = None
            if isinstance(spec, SparseTensorSpec):
                components.append(SparseTensor.from_value(value))
            elif isinstance(value, RaggedTensorValue):
                components.append(tensor_or_ragged(value, name=f"component_{index}"))
            elif spec is None or isinstance(spec, TensorSpec):
                components.append(ops.convert_to_tensor(value, name=f"component_{index}"))
            else:
                components.append(value)
    return dataset_nest.pack_sequence_as(element, components)


def flat_specs(spec: Any) -> list[TensorSpec]:
    """Returns the TensorSpecs of the tensors that represent an element."""
    return [tensor for leaf in dataset_nest.flatten(spec) for tensor in _flat_specs(leaf)]


def _flat_specs(spec: Any) -> list[TensorSpec]:
    if isinstance(spec, TensorSpec):
        return [spec]
    return spec._flat_tensor_specs


def flat_shapes(spec: Any) -> list[TensorShape]:
    """Returns the static shapes of the tensors that represent an element."""
    return [tensor.shape for tensor in flat_specs(spec)]


def flat_types(spec: Any) -> list[dtypes.DType]:
    """Returns the dtypes of the tensors that represent an element."""
    return [tensor.dtype for tensor in flat_specs(spec)]


def to_tensors(spec: Any, element: Any) -> list[Any]:
    """Converts an element to the tensors that represent it."""
    dataset_nest.assert_same_structure(spec, element)
    pairs = zip(dataset_nest.flatten(spec), dataset_nest.flatten(element))
    return [tensor for leaf, value in pairs for tensor in _to_tensors(leaf, value)]


def _to_tensors(spec: Any, value: Any) -> list[Any]:
    if hasattr(spec, "_to_tensor_list"):  # sparse and ragged values are variants
        return spec._to_tensor_list(value)
    components = spec._to_components(value)
    return list(components) if isinstance(components, list | tuple) else [components]


def to_rows(spec: Any, element: Any) -> list[Any]:
    """Converts an element to tensors whose rows represent its rows; raises ValueError if a component is a scalar."""
    dataset_nest.assert_same_structure(spec, element)
    tensors: list[Any] = []
    for leaf, value in zip(dataset_nest.flatten(spec), dataset_nest.flatten(element)):
        if hasattr(leaf, "_to_batched_tensor_list"):
            tensors += leaf._to_batched_tensor_list(value)
            continue
        leaf_tensors = _to_tensors(leaf, value)
        for tensor in leaf_tensors:
            if tensor.shape.ndims == 0:
                raise ValueError(f"Value {tensor} has insufficient rank for batching.")
        tensors += leaf_tensors
    return tensors


def from_tensors(spec: Any, tensors: Sequence[Any]) -> Any:
    """Converts tensors back to the element they represent."""
    leaves = dataset_nest.flatten(spec)
    counts = [len(_flat_specs(leaf)) for leaf in leaves]
    if sum(counts) != len(tensors):
        raise ValueError(f"Expected {sum(counts)} tensors but got {len(tensors)}.")
    values, start = [], 0
    for leaf, count in zip(leaves, counts):
        values.append(_from_tensors(leaf, tensors[start : start + count]))
        start += count
    return dataset_nest.pack_sequence_as(spec, values)


def _from_tensors(spec: Any, tensors: Sequence[Any]) -> Any:
    if isinstance(spec, TensorSpec):
        tensors[0].set_shape(spec.shape)
        return tensors[0]
    if hasattr(spec, "_from_compatible_tensor_list"):
        return spec._from_compatible_tensor_list(tensors)
    return spec._from_components(tensors[0] if len(tensors) == 1 else list(tensors))


def from_checked_tensors(spec: Any, tensors: Sequence[Any]) -> Any:
    """Same as `from_tensors`, but raises ValueError if the tensors do not match."""
    leaves, expected = dataset_nest.flatten(spec), flat_specs(spec)
    if len(expected) == len(tensors):
        for leaf, tensor in zip(expected, tensors):
            if not leaf.is_compatible_with(tensor):
                raise ValueError(f"Tensor {tensor!r} is not compatible with {leaf} of {leaves}.")
    return from_tensors(spec, tensors)


def are_compatible(first: Any, second: Any) -> bool:
    """Whether two specs have the same structure and mutually compatible leaves."""
    try:
        dataset_nest.assert_same_structure(first, second)
    except (TypeError, ValueError):
        return False
    pairs = zip(dataset_nest.flatten(first), dataset_nest.flatten(second))
    return all(a.is_compatible_with(b) and b.is_compatible_with(a) for a, b in pairs)


def from_legacy(types: Any, shapes: Any, classes: Any) -> Any:
    """Returns the spec of elements with the given `output_types`, `output_shapes` and `output_classes`."""
    specs: list[Any] = []
    flat = zip(
        dataset_nest.flatten(types), dataset_nest.flatten(shapes), dataset_nest.flatten(classes)
    )
    for dtype, shape, cls in flat:
        if isinstance(cls, TypeSpec):
            specs.append(cls)
        elif issubclass(cls, SparseTensor):
            specs.append(SparseTensorSpec(shape, dtype))
        elif cls is TensorSpec(None).value_type or issubclass(cls, TensorSpec(None).value_type):
            specs.append(TensorSpec(shape, dtype))
        else:
            raise TypeError(f"Could not build a structure for output class {cls!r}")
    return dataset_nest.pack_sequence_as(classes, specs)


def legacy_classes(spec: Any) -> Any:
    """Returns the classes of a spec's components, `output_classes`."""
    return dataset_nest.map_structure(lambda leaf: leaf._to_legacy_output_classes(), spec)


def legacy_shapes(spec: Any) -> Any:
    """Returns the static shapes of a spec's components, `output_shapes`."""
    return dataset_nest.map_structure(lambda leaf: leaf._to_legacy_output_shapes(), spec)


def legacy_types(spec: Any) -> Any:
    """Returns the dtypes of a spec's components, `output_types`."""
    return dataset_nest.map_structure(lambda leaf: leaf._to_legacy_output_types(), spec)
