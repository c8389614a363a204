"""`TypeSpec`: the static type of a value, that is, its class, dtype and shape.

`TensorSpec` is the type of a tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.nest.structure import flatten, pack_sequence_as
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import Dimension, ShapeLike, TensorShape
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.tensor import Tensor, TensorLike

Spec = TypeVar("Spec", bound="TypeSpec")


class TypeSpec:
    """The type of a value; subclasses include `tf.TensorSpec`, `tf.SparseTensorSpec` and `tf.IndexedSlicesSpec`.

    A subclass defines its fields (`_serialize`), the component tensors of a value
    (`_component_specs`, `_to_components`; a TensorSpec, a leaf of nested structures, has no
    `_component_specs`) and how to rebuild a value from them (`_from_components`).
    """

    _component_specs: Any

    @property
    def value_type(self) -> type:
        """Python type of the described values."""
        raise NotImplementedError(f"{type(self).__name__}.value_type")

    def _serialize(self) -> tuple[Any, ...]:
        raise NotImplementedError(f"{type(self).__name__}._serialize()")

    def _to_components(self, value: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._to_components()")

    def _from_components(self, components: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._from_components()")

    @classmethod
    def _deserialize(cls: type[Spec], serialization: tuple[Any, ...]) -> Spec:
        return cls(*serialization)

    @property
    def _flat_tensor_specs(self) -> list[TensorSpec]:
        return flatten(self, expand_composites=True)

    def _to_tensor_list(self, value: Any) -> list[Tensor]:
        """Flattens a value to a list of tensors."""
        return flatten(self._to_components(value), expand_composites=True)

    def _from_compatible_tensor_list(self, tensor_list: list[Tensor]) -> Any:
        parts = pack_sequence_as(self._component_specs, tensor_list, expand_composites=True)
        return self._from_components(parts)

    def is_compatible_with(self, spec_or_value: object) -> bool:
        """Whether a spec, or the spec of a value, is compatible with this one."""
        other = spec_or_value
        if not isinstance(other, TypeSpec):
            other = type_spec_from_value(other)
        return type(self) is type(other) and _compatible(self._serialize(), other._serialize())

    def most_specific_compatible_type(self: Spec, other: Any) -> Spec:
        """Returns the most specific spec compatible with both; raises ValueError if they conflict."""
        if type(self) is not type(other):
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return self._deserialize(_most_specific_field(self._serialize(), other._serialize()))

    def __eq__(self, other: Any) -> bool:
        return type(other) is type(self) and _comparable_key(self._serialize()) == _comparable_key(
            other._serialize()
        )

    def __hash__(self) -> int:
        return hash((type(self), _comparable_key(self._serialize())))

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), self._serialize()

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._serialize()!r}"

    def _to_legacy_output_types(self) -> object:
        raise NotImplementedError(f"{type(self).__name__}._to_legacy_output_types()")

    def _to_legacy_output_shapes(self) -> object:
        raise NotImplementedError(f"{type(self).__name__}._to_legacy_output_shapes()")

    def _to_legacy_output_classes(self) -> Any:
        return self.value_type


def _comparable_key(value: object) -> object:
    """Returns a comparable and hashable form of a serialized field."""
    if isinstance(value, tuple):
        return tuple(_comparable_key(item) for item in value)
    if isinstance(value, TensorShape):
        return (TensorShape, None if value.ndims is None else tuple(value.as_list()))
    if isinstance(value, np.ndarray):
        return (np.ndarray, value.shape, tuple(value.ravel().tolist()))
    return value


def _compatible(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(_compatible, a, b))
    if isinstance(a, TypeSpec | TensorShape | dtypes.DType):
        return a.is_compatible_with(b)
    return _comparable_key(a) == _comparable_key(b)


def _most_specific_field(a: Any, b: Any) -> Any:
    if type(a) is type(b):
        if isinstance(a, tuple) and len(a) == len(b):
            return tuple(map(_most_specific_field, a, b))
        if isinstance(a, TensorShape):
            return a.most_specific_compatible_shape(b)
        if isinstance(a, TypeSpec):
            return a.most_specific_compatible_type(b)
        if not isinstance(a, tuple) and _comparable_key(a) == _comparable_key(b):
            return a
    raise ValueError(f"Types are not compatible: {a!r} vs {b!r}")


class BatchableTypeSpec(TypeSpec):
    """A `TypeSpec` whose values can be batched and unbatched."""

    _shape: TensorShape
    _dtype: dtypes.DType

    def _batch(self, batch_size: int | Dimension | None) -> TypeSpec:
        raise NotImplementedError(f"{type(self).__name__}._batch()")

    def _unbatch(self) -> TypeSpec:
        raise NotImplementedError(f"{type(self).__name__}._unbatch()")

    _value_noun = "tensor"

    def _to_legacy_output_types(self) -> dtypes.DType:
        return self._dtype

    def _to_legacy_output_shapes(self) -> TensorShape:
        return self._shape


class ShapedTypeSpec(BatchableTypeSpec):
    """A `TypeSpec` defined by a shape and a dtype."""

    shape: TensorShape = read_only("The static shape.")
    dtype: dtypes.DType = read_only("The dtype of the elements.")

    def _batch(self, batch_size: int | Dimension | None) -> TypeSpec:
        return type(self)(TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self) -> TypeSpec:
        if self._shape.ndims == 0:
            raise ValueError(f"Unbatching a {self._value_noun} is only supported for rank >= 1")
        return type(self)(self._shape[1:], self._dtype)

    def __init__(self, shape: ShapeLike = None, dtype: DTypeLike = dtypes.float32):
        self._shape = TensorShape(shape)
        self._dtype = dtypes.as_dtype(dtype)


class TensorSpec(ShapedTypeSpec):
    """The type of a tensor: shape, dtype, and an optional name.

    Args:
      shape: anything convertible to a TensorShape; None for any.
      dtype: dtype of the elements.
      name: a name for the tensor, or None.

    Example: `tf.TensorSpec([None, 784], tf.float32, name="images")`.
    """

    name: str | None = read_only("The name of the tensor, or None.")

    def __init__(
        self, shape: ShapeLike, dtype: DTypeLike = dtypes.float32, name: str | None = None
    ):
        super().__init__(shape, dtype)
        self._name = name

    @classmethod
    def from_spec(cls, spec: TensorSpec, name: str | None = None) -> TensorSpec:
        """Returns a copy of a TensorSpec, renamed to `name` if given."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    @classmethod
    def from_tensor(cls, tensor: Tensor, name: str | None = None) -> TensorSpec:
        """Returns the TensorSpec of a tensor, named `name` or after the tensor's operation."""
        if not isinstance(tensor, Tensor):
            raise ValueError("`tensor` should be a tf.Tensor")
        return TensorSpec(tensor.shape, tensor.dtype, name or tensor.op.name)

    @property
    def value_type(self) -> type:
        """`tf.Tensor`."""
        return Tensor

    def is_compatible_with(self, spec_or_tensor: object) -> bool:
        """Whether a TensorSpec or tensor has this dtype and a compatible shape."""
        return (
            isinstance(spec_or_tensor, TensorSpec | Tensor)
            and self._dtype.is_compatible_with(spec_or_tensor.dtype)
            and self._shape.is_compatible_with(spec_or_tensor.shape)
        )

    def most_specific_compatible_type(self, other: Any) -> TensorSpec:
        """Returns the most specific TensorSpec compatible with both; raises ValueError if the dtypes differ."""
        if type(self) is not type(other) or self._dtype != other.dtype:
            raise ValueError(f"Types are not compatible: {self!r} vs {other!r}")
        shape = self._shape.most_specific_compatible_shape(other.shape)
        return TensorSpec(shape, self._dtype, self._name if self._name == other.name else None)

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._name

    def _to_components(self, value: TensorLike) -> Tensor:
        problem = (
            f"Value {value!r} is not convertible to a tensor with dtype {self._dtype} and shape "
            f"{self._shape}."
        )
        try:
            tensor: Tensor = ops.convert_to_tensor(value, self._dtype)
        except (TypeError, ValueError):
            raise ValueError(problem) from None
        if not tensor.shape.is_compatible_with(self._shape):
            raise ValueError(problem)
        return tensor

    def _from_components(self, components: Any) -> Any:
        return components

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"


_converters: list[tuple[type, Callable[[Any], TypeSpec], bool]] = []


def register_type_spec_from_value_converter(
    type_object: type, converter_fn: Callable[[Any], TypeSpec], allow_subclass: bool = False
) -> None:
    """Registers a function from a class's values, optionally also its subclasses', to TypeSpecs; the last one wins."""
    _converters.append((type_object, converter_fn, allow_subclass))


def type_spec_from_value(value: object) -> TypeSpec:
    """Returns the spec of a tensor or composite value; raises TypeError for other values."""
    spec = _known_spec(value)
    if spec is None:
        try:
            tensor = ops.convert_to_tensor(value)
        except (TypeError, ValueError):
            raise TypeError(
                f"Could not build a TypeSpec for {value!r} with type {type(value).__name__}"
            ) from None
        spec = TensorSpec(tensor.shape, tensor.dtype)
    return spec


def _known_spec(value: object) -> TypeSpec | None:
    """Returns the spec of a value that needs no conversion to a tensor; None for other values."""
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    spec = getattr(value, "_type_spec", None)
    if isinstance(spec, TypeSpec):
        return spec
    if isinstance(value, list) and value:
        stacked = _batch_spec([_known_spec(item) for item in value])
        if stacked is not None:
            return stacked
    if isinstance(value, np.ndarray):
        return TensorSpec(value.shape, value.dtype)
    for value_type, convert, allow_subclass in reversed(_converters):
        if type(value) is value_type or (allow_subclass and isinstance(value, value_type)):
            known_spec: TypeSpec = convert(value)
            return known_spec
    return None


def _batch_spec(specs: list[TypeSpec | None]) -> TypeSpec | None:
    """Returns the batched spec of a list of values, or None if they cannot be stacked."""
    first = specs[0]
    if not isinstance(first, BatchableTypeSpec):
        return None
    try:
        for spec in specs[1:]:
            if spec is None:
                return None
            first = first.most_specific_compatible_type(spec)
        return first._batch(len(specs))
    except (TypeError, ValueError):
        return None
