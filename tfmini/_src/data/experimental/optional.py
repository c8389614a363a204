"""`Optional`, a value that may be absent, and the next element of an iterator as an Optional."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.read_only import read_only
from tfmini._src.data.element_spec import (
    flat_shapes,
    flat_types,
    from_tensors,
    infer_spec,
    to_tensors,
)
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.graph.type_spec import TensorSpec, TypeSpec
from tfmini._src.ops import raw

if TYPE_CHECKING:
    from tfmini._src.data.iterator_base import IteratorBase


class Optional:
    """A value that may be absent at run time.

    Example:
      following = tf.data.experimental.get_next_as_optional(iterator)
      value = tf.cond(following.has_value(), following.get_value, lambda: default)
    """

    def has_value(self, name: str | None = None) -> Any:
        """Returns whether the value is present, as a scalar bool."""
        raise NotImplementedError("Optional.has_value()")

    def get_value(self, name: str | None = None) -> Any:
        """Returns the value.

        Raises:
          InvalidArgumentError: at run time, if the value is absent.
        """
        raise NotImplementedError("Optional.get_value()")

    @property
    def value_structure(self) -> Any:
        """The TypeSpecs of the value's components, in the structure of the value."""
        raise NotImplementedError("Optional.value_structure")

    @staticmethod
    def from_value(value: TensorLike) -> Optional:
        """Creates an Optional with a value.

        Args:
          value: a structure of tensors or convertible values.
        """
        with name_scope("optional") as scope:
            with name_scope("value"):
                spec = infer_spec(value)
                tensors = to_tensors(spec, value)
        return OptionalWithValue(raw.OptionalFromValue(tensors, name=scope), spec)

    @staticmethod
    def none_from_structure(value_structure: object) -> Optional:
        """Creates an Optional without a value.

        Args:
          value_structure: the TypeSpecs of the absent value's components, in the structure of the value.
        """
        return OptionalWithValue(raw.OptionalNone(), value_structure)


class OptionalWithValue(Optional):
    """An Optional represented by a variant handle and its value structure."""

    value_structure: Any = read_only()

    def __init__(self, variant_tensor: Any, value_structure: Any):
        self._variant_tensor = variant_tensor
        self._value_structure = value_structure

    def has_value(self, name: str | None = None) -> Any:
        return raw.OptionalHasValue(self._variant_tensor, name=name)

    def get_value(self, name: str | None = None) -> Any:
        spec = self._value_structure
        with name_scope(name, "OptionalGetValue", [self._variant_tensor]) as scope:
            tensors = raw.OptionalGetValue(
                self._variant_tensor,
                name=scope,
                output_types=flat_types(spec),
                output_shapes=flat_shapes(spec),
            )
            return from_tensors(spec, tensors)

    @property
    def _type_spec(self) -> OptionalSpec:
        return OptionalSpec.from_value(self)

    def _to_components(self) -> list[Any]:
        return [self._variant_tensor]


class OptionalSpec(TypeSpec):
    """The type of an Optional.

    Args:
      value_structure: the TypeSpecs of the value's components, in the value's structure.
    """

    _flat_tensor_specs: list = read_only(attribute="_component_specs")

    def __init__(self, value_structure: object):
        self._value_structure = value_structure

    @property
    def value_type(self) -> Any:
        """The class of the Optionals created from a handle."""
        return OptionalWithValue

    @property
    def _component_specs(self) -> list:
        return [TensorSpec((), dtypes.variant)]

    def _serialize(self) -> tuple:
        return (self._value_structure,)

    def _to_components(self, value: Any) -> list:
        return [value._variant_tensor]

    def _from_components(self, components: Any) -> Optional:
        handle = components[0] if isinstance(components, list | tuple) else components
        return OptionalWithValue(handle, self._value_structure)

    @staticmethod
    def from_value(value: Any) -> OptionalSpec:
        """Returns the spec of an Optional."""
        return OptionalSpec(value.value_structure)

    def _to_legacy_output_types(self) -> Any:
        return self

    def _to_legacy_output_shapes(self) -> Any:
        return self

    def _to_legacy_output_classes(self) -> Any:
        return self


def get_next_as_optional(iterator: IteratorBase) -> Optional:
    """Returns the next element of an iterator as an Optional, absent at the end instead of raising OutOfRangeError.

    Returns:
      A `tf.data.experimental.Optional`.
    """
    spec = iterator.element_spec
    handle = raw.IteratorGetNextAsOptional(
        iterator._iterator_resource, output_types=flat_types(spec), output_shapes=flat_shapes(spec)
    )
    return OptionalWithValue(handle, spec)
