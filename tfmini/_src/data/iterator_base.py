"""Shared by datasets and iterators of all kinds: the structure of their elements, and a position to save."""

from __future__ import annotations

from typing import Any

from tfmini._src.data.element_spec import (
    flat_shapes,
    flat_types,
    legacy_classes,
    legacy_shapes,
    legacy_types,
)
from tfmini._src.data.iterator_saveable import IteratorSaveable
from tfmini._src.variables.trackable import Trackable


class LegacyStructure:
    """The spec of an element as three structures, as they were before there were specs."""

    @property
    def element_spec(self) -> Any:
        """The TypeSpecs of an element's components, in its structure."""
        raise NotImplementedError(f"{type(self).__name__}.element_spec")

    @property
    def output_classes(self) -> Any:
        """The classes of an element's components, in its structure."""
        return legacy_classes(self.element_spec)

    @property
    def output_shapes(self) -> Any:
        """Their static shapes."""
        return legacy_shapes(self.element_spec)

    @property
    def output_types(self) -> Any:
        """Their dtypes."""
        return legacy_types(self.element_spec)


class IteratorBase(LegacyStructure, Trackable):
    """An iterator with a resource of its own.

    Args:
      element_spec: of the elements that it goes through.
    """

    _iterator_resource: Any

    def __init__(self, element_spec: Any):
        self._element_spec = element_spec
        self._flat_structure: dict[str, Any] = {
            "output_types": flat_types(element_spec),
            "output_shapes": flat_shapes(element_spec),
        }

    @property
    def element_spec(self) -> Any:
        """The TypeSpecs of an element's components, in its structure."""
        return self._element_spec

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        def saveable(name: str) -> IteratorSaveable:
            return IteratorSaveable(self._iterator_resource, name, "_STATE")

        return {"ITERATOR": saveable}
